import { expect, type Page } from '@playwright/test'
import { inboxOf } from '../kit/inbox.ts'
import { heading } from '../kit/screen.ts'
import { createAccount, newUser, register, signIn, type User } from '../kit/users.ts'
import { type Stage, type State, shows, text } from './stage.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

export const adminStates: readonly State[] = [
  shows('admin, overview', overview),
  shows('admin, server away', away, { sees: text('Retrying…') }),
  shows('admin, token', token),
  shows('admin, token refused', tokenRefused, { sees: text('That is not the token of this server.') }),
  shows('admin, accounts', accounts),
  shows('admin, accounts selected', selected, { press: 'Delete', sees: text('This cannot be undone.') }),
  shows('admin, no account matches', visit('accounts?q=unknown%40example.org', 'Accounts'), {
    sees: text('No account matches'),
  }),
  shows('admin, account', account),
  shows('admin, account not verified', unverified, { sees: text('Not logged in anywhere.') }),
  shows('admin, disabling an account', account, {
    press: 'Disable account',
    sees: text('Disable this account?'),
  }),
  shows('admin, giving a role', account, {
    press: 'Add admin',
    sees: text('Give this account the role admin?'),
  }),
  shows('admin, recovery code', account, {
    press: 'Create recovery code',
    sees: (page) => region(page, 'Recovery').getByText(/^\d{6}$/),
  }),
  shows('admin, deleting an account', account, {
    press: 'Delete account',
    sees: text(/^Delete .+@.+ for good\?$/),
  }),
  shows('admin, no such account', visit(`accounts/${UNKNOWN}`, 'No such account')),
  shows('admin, emails', emails),
  shows('admin, an email opened', emailOpened, { sees: text('Accepted by the mail server') }),
  shows('admin, no email', visit('emails?status=abandoned', 'Emails'), { sees: text('No emails.') }),
  shows('admin, audit', audit),
  shows('admin, not found', visit('nowhere', '404 Not Found')),
]

function visit(path: string, title: string) {
  return async ({ page, product }: Stage): Promise<void> => {
    await page.goto(`${product.admin_url}/ui/${path}`)
    await expect(heading(page)).toHaveText(title)
  }
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function overview(stage: Stage): Promise<void> {
  await visit('', 'Overview')(stage)
  await expect(stage.page.getByText('Live sessions')).toBeVisible()
  const logins = region(stage.page, 'Logins per day')
  await expect(logins.getByRole('listitem').last().or(logins.getByText('No logins'))).toBeVisible()
}

async function away(stage: Stage): Promise<void> {
  await stage.page.route(`${stage.product.admin_url}/admin/**`, (route) => route.abort())
  await visit('accounts', 'Accounts')(stage)
}

async function token({ page, product }: Stage): Promise<void> {
  const refusal = { error: { code: 401, status: 'Unauthorized', message: 'The token is missing.' } }
  await page.route(`${product.admin_url}/admin/**`, (route) => route.fulfill({ status: 401, json: refusal }))
  await page.goto(`${product.admin_url}/ui/accounts`)
  await expect(page.getByLabel('Admin token')).toBeFocused()
}

async function tokenRefused(stage: Stage): Promise<void> {
  await token(stage)
  await stage.page.getByLabel('Admin token').fill('not the token')
  await stage.page.keyboard.press('Enter')
}

async function accounts(stage: Stage): Promise<void> {
  await createAccount(stage.product, {
    ...newUser(),
    email: `an-address-that-is-rather-long-${newUser().email}`,
  })
  await createAccount(stage.product, newUser(), { verified: false })
  await createAccount(stage.product, newUser())
  await visit('accounts', 'Accounts')(stage)
  await expect(stage.page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').nth(2)).toBeVisible()
}

async function selected(stage: Stage): Promise<void> {
  await accounts(stage)
  await stage.page.getByRole('checkbox', { name: 'Select all shown' }).check()
}

async function account(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user)
  await signIn(stage.page.context().request, stage.product, user)
  await inboxOf(stage.product).newest(user.email)
  await openAccount(stage, user)
  await expect(region(stage.page, 'Sessions').getByText('Live')).toBeVisible()
  await expect(region(stage.page, 'Emails').getByRole('listitem')).toHaveCount(1)
}

async function openAccount(stage: Stage, { email }: User): Promise<void> {
  await visit(`accounts?q=${encodeURIComponent(email)}`, 'Accounts')(stage)
  await stage.page.getByRole('link', { name: email }).click()
  await expect(heading(stage.page)).toHaveText(email)
}

async function unverified(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user, { verified: false })
  await openAccount(stage, user)
  await expect(stage.page.getByRole('button', { name: 'Send verification' })).toBeVisible()
}

async function emails(stage: Stage): Promise<User> {
  const user = newUser()
  await register(stage.page.context().request, stage.product, user)
  await inboxOf(stage.product).newest(user.email)
  // The inbox shows queued emails, too.
  const messages = `${stage.product.admin_url}/admin/courier/messages?status=sent&recipient=${user.email}`
  await expect.poll(async () => (await (await stage.page.request.get(messages)).json()).length).toBe(1)
  await visit('emails', 'Emails')(stage)
  await expect(stage.page.getByRole('button', { name: new RegExp(user.email) })).toBeVisible()
  return user
}

async function emailOpened(stage: Stage): Promise<void> {
  const { email } = await emails(stage)
  await stage.page.getByRole('button', { name: new RegExp(email) }).click()
}

async function audit(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user)
  await visit('audit', 'Audit')(stage)
  await expect(stage.page.getByRole('link', { name: user.email })).toBeVisible()
}
