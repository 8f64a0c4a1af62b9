import { expect, type Page } from '@playwright/test'
import { aboutTexts, homeTexts } from '../../app/texts.ts'
import { skipWithout } from '../kit/consent.ts'
import { endPrivilege } from '../kit/database.ts'
import { type Inbox, inboxOf } from '../kit/inbox.ts'
import { alert, enterPassword, heading, password } from '../kit/screen.ts'
import { createAccount, newUser, openFlow, register, type User } from '../kit/users.ts'
import { accountStates } from './account.ts'
import { adminStates } from './admin.ts'
import { dashboardStates } from './dashboard.ts'
import { inboxStates } from './inbox.ts'
import { rareStates } from './rare.ts'
import { socialStates } from './social.ts'
import { at, button, open, type Stage, type State, shows, signedInAt, signInNewUser, text } from './stage.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const homeSignedIn = signedInAt('/', homeTexts.heading)

export const states: readonly State[] = [
  shows('home', at('/', homeTexts.heading)),
  shows('home, signed in', homeSignedIn),
  shows('home, identity service away', homeUnreachable, { sees: text('Retrying…') }),
  shows('home, account menu', homeSignedIn, {
    press: /^Account menu/,
    sees: (page) =>
      page.getByRole('navigation', { name: 'Account menu' }).getByRole('button', { name: 'Logout' }),
  }),
  shows('about', at('/about', aboutTexts.heading)),
  shows('not found', at('/nowhere', '404 Not Found')),
  shows('error', ({ page }) => page.goto(`/error?id=${UNKNOWN}`), { sees: alert }),
  shows('a screen that did not load', failure),
  shows('offline', offline),
  shows('login', at('/login', 'Login')),
  shows('login, field errors', ({ page }) => submitEmpty(page, '/login', 'Login')),
  shows('login, code by email', loginCode),
  shows('login, refused', loginRefused, { sees: alert }),
  shows('login, signing in', loginBusy, { sees: button('Logging in…') }),
  shows('login, provider not set up', loginProvider, { press: 'Sign in with GitHub', sees: alert }),
  shows('login, service away', loginUnreachable, { sees: button('Try again') }),
  shows('register', at('/register', 'Sign up')),
  shows('register, field errors', ({ page }) => submitEmpty(page, '/register', 'Sign up')),
  shows('register, password shown', registerShown),
  shows('verify', verify),
  shows('verify, wrong code', verifyWrong, { sees: alert }),
  shows('verify, new code sent', verifyResent, {
    press: 'Send a new code',
    sees: text('New code requested.'),
  }),
  shows('verify, asks for the address', verifyAsks, { sees: button('Send me a code') }),
  shows('verify, other browser', ({ page }) => page.goto(`/verify?flow=${UNKNOWN}`), {
    sees: text('was opened in another browser'),
  }),
  shows('verify, before the first sign-in', verifyFirst, { sees: button('get a new one') }),
  shows('verified', verified),
  shows('recovery', at('/recovery', 'Reset your password')),
  shows('recovery, code', recoveryCode),
  shows('recovery, new password', recoveryPassword, {
    sees: (page) => page.getByRole('textbox', { name: 'New password' }),
  }),
  shows('settings, confirm', settingsConfirm),
  shows('account, confirm in place', confirmInPlace, {
    press: 'Save password',
    sees: (page) => page.getByRole('dialog').getByRole('button', { name: 'Continue' }),
  }),
  ...dashboardStates,
  ...accountStates,
  ...socialStates,
  ...rareStates,
  ...inboxStates,
  ...adminStates,
]

async function homeUnreachable(stage: Stage): Promise<void> {
  const { page } = stage
  await signInNewUser(stage)
  await page.route('**/.ory/**', (route) => route.abort())
  await page.goto('/')
}

async function submitEmpty(page: Page, path: string, button: string): Promise<void> {
  await open(page, path, button)
  await page.getByLabel('Email').fill('user@example')
  await password(page).fill('short')
  await page.getByRole('button', { name: button, exact: true }).click()
  await expect(page.getByText('Password must be at least 6 characters.')).toBeVisible()
}

async function loginRefused({ page }: Stage): Promise<void> {
  await open(page, '/login', 'Login')
  await enterPassword(page, newUser())
}

async function loginBusy({ page }: Stage): Promise<void> {
  await open(page, '/login', 'Login')
  await page.route('**/self-service/login?flow=*', () => {})
  await enterPassword(page, newUser())
}

async function loginProvider({ page }: Stage): Promise<void> {
  skipWithout('GitHub')
  await page.route('**/self-service/login?flow=*', (route) => route.fulfill({ status: 404, json: {} }))
  await open(page, '/login', 'Login')
}

async function loginUnreachable({ page }: Stage): Promise<void> {
  await page.route('**/.ory/**', (route) => route.abort())
  await page.goto('/login')
}

async function registerShown({ page }: Stage): Promise<void> {
  await open(page, '/register', 'Sign up')
  await page.getByLabel('Email').fill('user@example.com')
  await password(page).fill('three quiet words')
  await page.getByRole('button', { name: 'Show password' }).click()
}

interface Begun {
  readonly user: User
  readonly inbox: Inbox
}

async function verify({ page, product }: Stage): Promise<Begun> {
  const user = newUser()
  await page.goto(`/verify?flow=${await register(page.context().request, product, user)}`)
  await expect(page.getByLabel('Code')).toBeVisible()
  return { user, inbox: inboxOf(product) }
}

async function verifyWrong(stage: Stage): Promise<void> {
  const { user, inbox } = await verify(stage)
  const right = await inbox.code(user.email)
  await stage.page.getByLabel('Code').fill(right === '000000' ? '000001' : '000000')
}

async function verifyResent(stage: Stage): Promise<void> {
  await stage.page.clock.install()
  await verify(stage)
  await expect(stage.page.getByRole('button', { name: /^New code in/ })).toBeVisible()
  await stage.page.clock.fastForward(31_000)
}

async function verifyAsks({ page, product }: Stage): Promise<void> {
  const { id } = await openFlow(page.context().request, product, 'verification')
  await page.goto(`/verify?flow=${id}`)
}

async function verifyFirst({ page, product }: Stage): Promise<void> {
  const user = newUser()
  await createAccount(product, user, { verified: false })
  await open(page, '/login', 'Login')
  await enterPassword(page, user)
}

async function verified(stage: Stage): Promise<void> {
  const { user, inbox } = await verify(stage)
  await stage.page.getByLabel('Code').fill(await inbox.code(user.email))
  await expect(heading(stage.page)).toHaveText('Email Verified!')
}

async function recoveryCode({ page, product }: Stage): Promise<Begun> {
  const user = newUser()
  await createAccount(product, user)
  await open(page, '/recovery', 'Reset your password')
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page.getByLabel('Code')).toBeVisible()
  return { user, inbox: inboxOf(product) }
}

async function recoveryPassword(stage: Stage): Promise<void> {
  const { user, inbox } = await recoveryCode(stage)
  await stage.page.getByLabel('Code').fill(await inbox.code(user.email))
}

async function settingsConfirm(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  await stage.page.goto('/.ory/self-service/login/browser?refresh=true')
  await expect(heading(stage.page)).toHaveText('Confirm it’s you')
}

async function failure({ page }: Stage): Promise<void> {
  await page.route('**/assets/register-*.js', (route) => route.abort())
  await open(page, '/', homeTexts.heading)
  await page.getByRole('link', { name: 'Sign up', exact: true }).click()
  await expect(heading(page)).toHaveText('This page could not be shown')
}

async function offline(stage: Stage): Promise<void> {
  await stage.page.route('**/assets/register-*.js', (route) => route.abort())
  await open(stage.page, '/', homeTexts.heading)
  await stage.page.context().setOffline(true)
  await stage.page.getByRole('link', { name: 'Sign up', exact: true }).click()
  await expect(heading(stage.page)).toHaveText('You are offline')
}

/** With `SIGN_IN_CODES`. */
async function loginCode({ page }: Stage): Promise<void> {
  await page.route('**/self-service/login/browser*', async (route) => {
    const response = await route.fetch()
    const flow = (await response.json()) as { ui: { nodes: object[] } }
    const field = { name: 'identifier', type: 'hidden', value: 'ada@example.com', node_type: 'input' }
    const identifier = { type: 'input', group: 'default', attributes: field, messages: [], meta: {} }
    const ui = { ...flow.ui, nodes: [identifier, ...flow.ui.nodes] }
    await route.fulfill({ response, json: { ...flow, ui, state: 'sent_email', active: 'code' } })
  })
  await open(page, '/login', 'Check your email')
}

async function confirmInPlace(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  await endPrivilege(stage.page, stage.product)
  await open(stage.page, '/settings/security', 'Security')
  await stage.page.getByRole('button', { name: 'Change password' }).click()
  await stage.page.getByRole('textbox', { name: 'New password' }).fill('four rather quiet words')
}
