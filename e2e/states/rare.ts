import { expect, type Page } from '@playwright/test'
import { addAuthenticator } from '../kit/authenticator.ts'
import { expireCodes, expireFlow } from '../kit/database.ts'
import { inboxOf } from '../kit/inbox.ts'
import { enterPassword, heading } from '../kit/screen.ts'
import { createAccount, newUser, register, signIn } from '../kit/users.ts'
import { button, open, type Stage, type State, shows, text } from './stage.ts'

export const rareStates: readonly State[] = [
  shows('login, limit reached', loginLimited, { sees: text(/Try again in 1:\d\d/) }),
  shows('login, deletion pending', deletionPending, { sees: text(/Your account will be deleted on/) }),
  shows('register, no passkey made', registerWithoutPasskey, { sees: text('No passkey was created.') }),
  shows('register, waiting for the passkey', registerWaiting, { sees: button('Waiting for your device…') }),
  shows('verify, expired', verifyExpired, { sees: text('That code has expired.') }),
  shows('verify, restore the email', restore),
  shows('verified, email restored', restore, {
    press: 'Restore my email',
    sees: (page) => page.getByRole('heading', { name: 'Email restored' }),
  }),
]

async function loginLimited({ page }: Stage): Promise<void> {
  await page.route('**/self-service/login?flow=*', async (route) => {
    const response = await route.fetch()
    const flow = (await response.json()) as { ui: object }
    const words = 'Too many attempts. Try again in 2 minutes.'
    const message = { id: 4290001, text: words, type: 'error', context: { retry_after: 95 } }
    await route.fulfill({ response, json: { ...flow, ui: { ...flow.ui, messages: [message] } } })
  })
  await open(page, '/login', 'Login')
  await enterPassword(page, newUser())
}

async function deletionPending({ page }: Stage): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('deletes-on', '2031-03-14T09:00:00.000Z'))
  await open(page, '/login', 'Login')
}

async function pressPasskey(page: Page): Promise<void> {
  await open(page, '/register', 'Sign up')
  await page.getByLabel('Email').fill(newUser().email)
  await page.getByRole('button', { name: 'Sign up with a passkey' }).click()
}

async function registerWithoutPasskey({ page }: Stage): Promise<void> {
  const device = await addAuthenticator(page)
  await device.setVerified(false)
  await pressPasskey(page)
}

async function registerWaiting({ page }: Stage): Promise<void> {
  const device = await addAuthenticator(page)
  await device.setPresence(false)
  await pressPasskey(page)
}

async function verifyExpired({ page, product }: Stage): Promise<void> {
  const user = newUser()
  const flow = await register(page.context().request, product, user)
  await page.goto(`/verify?flow=${flow}`)
  const old = await inboxOf(product).code(user.email)
  await expect(page.getByLabel('Code')).toBeVisible()
  expireFlow(product, flow)
  expireCodes(product, flow)
  await page.getByLabel('Code').fill(old)
}

async function restore({ page, product }: Stage): Promise<void> {
  const [user, changed] = [newUser(), newUser()]
  await createAccount(product, user)
  await signIn(page.context().request, product, user)
  await open(page, '/settings', 'Profile')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(changed.email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  const inbox = inboxOf(product)
  await page.getByLabel('Code').fill(await inbox.code(changed.email))
  await expect(heading(page)).toHaveText('Email changed')
  let link: string | undefined
  await expect
    .poll(async () => {
      const { subject, body } = await inbox.newest(user.email)
      if (/was changed/.test(subject)) link = /http\S+verification\S+/.exec(body)?.[0]
      return link
    })
    .toBeTruthy()
  await page.goto(link ?? '')
  await expect(heading(page)).toHaveText('Restore your email')
}
