import { expect, type Page } from '@playwright/test'
import { aboutTexts, homeTexts } from '../../app/texts.ts'
import { skipWithout } from '../kit/consent.ts'
import { endPrivilege } from '../kit/database.ts'
import { type Inbox, inboxOf } from '../kit/inbox.ts'
import { alert, fillIn, heading, password } from '../kit/screen.ts'
import { createAccount, newUser, openVerification, register, type User } from '../kit/users.ts'
import { accountStates } from './account.ts'
import { adminStates } from './admin.ts'
import { dashboardStates } from './dashboard.ts'
import { inboxStates } from './inbox.ts'
import { rareStates } from './rare.ts'
import { socialStates } from './social.ts'
import { open, type Stage, type State, signInNewUser } from './stage.ts'

export const states: readonly State[] = [
  { name: 'home', show: async ({ page }) => open(page, '/', homeTexts.heading) },
  { name: 'home, signed in', show: homeSignedIn },
  { name: 'home, identity service away', show: homeUnreachable },
  { name: 'home, account menu', show: accountMenu },
  { name: 'about', show: async ({ page }) => open(page, '/about', aboutTexts.heading) },
  { name: 'not found', show: async ({ page }) => open(page, '/nowhere', '404 Not Found') },
  { name: 'error', show: errorScreen },
  { name: 'a screen that did not load', show: failure },
  { name: 'offline', show: offline },
  { name: 'login', show: async ({ page }) => open(page, '/login', 'Login') },
  { name: 'login, field errors', show: async ({ page }) => submitEmpty(page, '/login', 'Login') },
  { name: 'login, code by email', show: loginCode },
  { name: 'login, refused', show: loginRefused },
  { name: 'login, signing in', show: loginBusy },
  { name: 'login, provider not set up', show: loginProvider },
  { name: 'login, service away', show: loginUnreachable },
  { name: 'register', show: async ({ page }) => open(page, '/register', 'Sign up') },
  {
    name: 'register, field errors',
    show: async ({ page }) => submitEmpty(page, '/register', 'Sign up'),
  },
  { name: 'register, password shown', show: registerShown },
  { name: 'verify', show: async (stage) => void (await verify(stage)) },
  { name: 'verify, wrong code', show: verifyWrong },
  { name: 'verify, new code sent', show: verifyResent },
  { name: 'verify, asks for the address', show: verifyAsks },
  { name: 'verify, other browser', show: verifyForeign },
  { name: 'verify, before the first sign-in', show: verifyFirst },
  { name: 'verified', show: verified },
  { name: 'recovery', show: async ({ page }) => open(page, '/recovery', 'Reset your password') },
  { name: 'recovery, code', show: async (stage) => void (await recoveryCode(stage)) },
  { name: 'recovery, new password', show: recoveryPassword },
  { name: 'settings, confirm', show: settingsConfirm },
  { name: 'account, confirm in place', show: confirmInPlace },
  ...dashboardStates,
  ...accountStates,
  ...socialStates,
  ...rareStates,
  ...inboxStates,
  ...adminStates,
]

async function homeSignedIn(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  await open(stage.page, '/', homeTexts.heading)
}

async function accountMenu(stage: Stage): Promise<void> {
  await homeSignedIn(stage)
  await stage.page.getByRole('button', { name: /^Account menu/ }).click()
  await expect(
    stage.page.getByRole('navigation', { name: 'Account menu' }).getByRole('button', { name: 'Logout' }),
  ).toBeVisible()
}

async function homeUnreachable(stage: Stage): Promise<void> {
  const { page } = stage
  await signInNewUser(stage)
  await page.route('**/.ory/**', (route) => route.abort())
  await page.goto('/')
  await expect(page.getByText('Retrying…')).toBeVisible()
}

async function errorScreen({ page }: Stage): Promise<void> {
  await page.goto('/error?id=00000000-0000-4000-8000-000000000000')
  await expect(alert(page)).toBeVisible()
}

async function submitEmpty(page: Page, path: string, button: string): Promise<void> {
  await open(page, path, button)
  await page.getByLabel('Email').fill('user@example')
  await password(page).fill('short')
  await page.getByRole('button', { name: button, exact: true }).click()
  await expect(page.getByText('Password must be at least 6 characters.')).toBeVisible()
}

async function typeCredentials(page: Page, user: User): Promise<void> {
  await open(page, '/login', 'Login')
  await fillIn(page, user)
}

const pressSignIn = (page: Page) => page.getByRole('button', { name: 'Login', exact: true }).click()

async function loginRefused({ page }: Stage): Promise<void> {
  await typeCredentials(page, newUser())
  await pressSignIn(page)
  await expect(alert(page)).toBeVisible()
}

async function loginBusy({ page }: Stage): Promise<void> {
  await typeCredentials(page, newUser())
  await page.route('**/self-service/login?flow=*', () => {})
  await pressSignIn(page)
  await expect(page.getByRole('button', { name: 'Logging in…' })).toBeVisible()
}

async function loginProvider({ page }: Stage): Promise<void> {
  skipWithout('GitHub')
  await page.route('**/self-service/login?flow=*', (route) => route.fulfill({ status: 404, json: {} }))
  await open(page, '/login', 'Login')
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await expect(alert(page)).toBeVisible()
}

async function loginUnreachable({ page }: Stage): Promise<void> {
  await page.route('**/.ory/**', (route) => route.abort())
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
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
  await expect(alert(stage.page)).toBeVisible()
}

async function verifyResent(stage: Stage): Promise<void> {
  await stage.page.clock.install()
  await verify(stage)
  await expect(stage.page.getByRole('button', { name: /^New code in/ })).toBeVisible()
  await stage.page.clock.fastForward(31_000)
  await stage.page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(stage.page.getByText('New code requested.')).toBeVisible()
}

async function verifyAsks({ page, product }: Stage): Promise<void> {
  await page.goto(`/verify?flow=${await openVerification(page.context().request, product)}`)
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeVisible()
}

async function verifyForeign({ page }: Stage): Promise<void> {
  await page.goto('/verify?flow=00000000-0000-4000-8000-000000000000')
  await expect(page.getByText('was opened in another browser')).toBeVisible()
}

async function verifyFirst({ page, product }: Stage): Promise<void> {
  const user = newUser()
  await createAccount(product, user, { verified: false })
  await typeCredentials(page, user)
  await pressSignIn(page)
  await expect(page.getByRole('button', { name: 'get a new one' })).toBeVisible()
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
  await expect(stage.page.getByRole('textbox', { name: 'New password' })).toBeVisible()
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
  const whoami = await stage.page.request.get('/.ory/sessions/whoami')
  endPrivilege(stage.product, ((await whoami.json()) as { id: string }).id)
  await open(stage.page, '/settings/security', 'Security')
  await stage.page.getByRole('button', { name: 'Change password' }).click()
  await stage.page.getByRole('textbox', { name: 'New password' }).fill('four rather quiet words')
  await stage.page.getByRole('button', { name: 'Save password' }).click()
  await expect(stage.page.getByRole('dialog').getByRole('button', { name: 'Continue' })).toBeVisible()
}
