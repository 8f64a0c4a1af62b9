import { expect } from '@playwright/test'
import { inboxOf } from '../kit/inbox.ts'
import { heading } from '../kit/screen.ts'
import { createAccount, newUser, register, signIn, type User } from '../kit/users.ts'
import type { Stage, State } from './stage.ts'

export const adminStates: readonly State[] = [
  { name: 'admin, overview', show: overview },
  { name: 'admin, server away', show: away },
  { name: 'admin, token', show: token },
  { name: 'admin, token refused', show: tokenRefused },
  { name: 'admin, accounts', show: accounts },
  { name: 'admin, accounts selected', show: selected },
  { name: 'admin, no account matches', show: noMatch },
  { name: 'admin, account', show: async (stage) => void (await account(stage)) },
  { name: 'admin, account not verified', show: unverified },
  { name: 'admin, disabling an account', show: disabling },
  { name: 'admin, recovery code', show: recovery },
  { name: 'admin, deleting an account', show: deleting },
  {
    name: 'admin, no such account',
    show: async (stage) => visit(stage, `accounts/${UNKNOWN}`, 'No such account'),
  },
  { name: 'admin, emails', show: async (stage) => void (await emails(stage)) },
  { name: 'admin, an email opened', show: emailOpened },
  { name: 'admin, no email', show: noEmail },
  { name: 'admin, audit', show: audit },
  { name: 'admin, not found', show: async (stage) => visit(stage, 'nowhere', '404 Not Found') },
]

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

async function visit({ page, product }: Stage, path: string, title: string): Promise<void> {
  await page.goto(`${product.admin_url}/ui/${path}`)
  await expect(heading(page)).toHaveText(title)
}

async function overview(stage: Stage): Promise<void> {
  await visit(stage, '', 'Overview')
  await expect(stage.page.getByText('Live sessions')).toBeVisible()
  const logins = region(stage, 'Logins per day')
  await expect(logins.getByRole('listitem').last().or(logins.getByText('No logins'))).toBeVisible()
}

async function away(stage: Stage): Promise<void> {
  await stage.page.route(`${stage.product.admin_url}/admin/**`, (route) => route.abort())
  await visit(stage, 'accounts', 'Accounts')
  await expect(stage.page.getByText('Retrying…')).toBeVisible()
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
  await expect(stage.page.getByText('That is not the token of this server.')).toBeVisible()
}

async function accounts(stage: Stage): Promise<void> {
  await createAccount(stage.product, {
    ...newUser(),
    email: `an-address-that-is-rather-long-${newUser().email}`,
  })
  await createAccount(stage.product, newUser(), { verified: false })
  await createAccount(stage.product, newUser())
  await visit(stage, 'accounts', 'Accounts')
  await expect(stage.page.getByRole('list', { name: 'Accounts' }).getByRole('listitem').nth(2)).toBeVisible()
}

async function selected(stage: Stage): Promise<void> {
  await accounts(stage)
  await stage.page.getByRole('checkbox', { name: 'Select all shown' }).check()
  await stage.page.getByRole('button', { name: 'Delete' }).click()
  await expect(stage.page.getByText('This cannot be undone.')).toBeVisible()
}

async function noMatch(stage: Stage): Promise<void> {
  await visit(stage, 'accounts?q=unknown%40example.org', 'Accounts')
  await expect(stage.page.getByText('No account matches')).toBeVisible()
}

async function account(stage: Stage): Promise<User> {
  const user = newUser()
  await createAccount(stage.product, user)
  await signIn(stage.page.context().request, stage.product, user)
  await inboxOf(stage.product).newest(user.email)
  await openAccount(stage, user)
  await expect(region(stage, 'Sessions').getByText('Live')).toBeVisible()
  await expect(region(stage, 'Emails').getByRole('listitem')).toHaveCount(1)
  return user
}

async function openAccount(stage: Stage, { email }: User): Promise<void> {
  await visit(stage, `accounts?q=${encodeURIComponent(email)}`, 'Accounts')
  await stage.page.getByRole('link', { name: email }).click()
  await expect(heading(stage.page)).toHaveText(email)
}

const region = ({ page }: Stage, name: string) => page.getByRole('region', { name, exact: true })

async function unverified(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user, { verified: false })
  await openAccount(stage, user)
  await expect(stage.page.getByRole('button', { name: 'Send verification' })).toBeVisible()
  await expect(stage.page.getByText('Not logged in anywhere.')).toBeVisible()
}

async function disabling(stage: Stage): Promise<void> {
  await account(stage)
  await stage.page.getByRole('button', { name: 'Disable account' }).click()
  await expect(stage.page.getByText('Disable this account?')).toBeVisible()
}

async function recovery(stage: Stage): Promise<void> {
  await account(stage)
  await stage.page.getByRole('button', { name: 'Create recovery code' }).click()
  await expect(region(stage, 'Recovery').getByText(/^\d{6}$/)).toBeVisible()
}

async function deleting(stage: Stage): Promise<void> {
  const { email } = await account(stage)
  await stage.page.getByRole('button', { name: 'Delete account' }).click()
  await expect(stage.page.getByText(`Delete ${email} for good?`)).toBeVisible()
}

async function emails(stage: Stage): Promise<User> {
  const user = newUser()
  await register(stage.page.context().request, stage.product, user)
  await inboxOf(stage.product).newest(user.email)
  await visit(stage, 'emails', 'Emails')
  await expect(stage.page.getByRole('button', { name: new RegExp(user.email) })).toBeVisible()
  return user
}

async function emailOpened(stage: Stage): Promise<void> {
  const { email } = await emails(stage)
  await stage.page.getByRole('button', { name: new RegExp(email) }).click()
  await expect(stage.page.getByText('Accepted by the mail server')).toBeVisible()
}

async function audit(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user)
  await visit(stage, 'audit', 'Audit')
  await expect(stage.page.getByRole('link', { name: user.email })).toBeVisible()
}

async function noEmail(stage: Stage): Promise<void> {
  await visit(stage, 'emails?status=abandoned', 'Emails')
  await expect(stage.page.getByText('No emails.')).toBeVisible()
}
