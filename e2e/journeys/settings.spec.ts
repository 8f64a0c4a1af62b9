import type { Page } from '@playwright/test'
import { endPrivilege } from '../database.ts'
import { expect, test } from '../fixtures.ts'
import { signIn } from '../people.ts'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const newPassword = (page: Page) => page.getByRole('textbox', { name: 'New password' })

async function changePassword(page: Page, words: string): Promise<void> {
  await newPassword(page).fill(words)
  await page.getByRole('button', { name: 'Save password' }).click()
}

test('programs that know the well-known address find the page', async ({ page, signedIn }) => {
  await page.goto('/.well-known/change-password')
  await expect(page).toHaveURL('/settings')
  await expect(heading(page)).toHaveText('Settings')
  await expect(page.getByText(signedIn.email)).toBeVisible()
})

test('the dashboard leads to it', async ({ page, signedIn: _ }) => {
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Account settings' }).click()
  await expect(heading(page)).toHaveText('Settings')
})

test('a visitor signs in first and comes back', async ({ page, account }) => {
  await page.goto('/settings')
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/settings')
})

test('the password can be changed, twice in a row, and is the new one', async ({
  page,
  product,
  signedIn,
  otherBrowser,
}) => {
  await page.goto('/settings')
  await changePassword(page, 'four rather quiet words')
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await expect(newPassword(page)).toHaveValue('')
  await changePassword(page, 'five of the quiet words')
  await expect(newPassword(page)).toHaveValue('')
  await signIn(otherBrowser.request, product, { ...signedIn, password: 'five of the quiet words' })
})

test('after a while the person confirms who they are, and what was typed is carried out', async ({
  page,
  product,
  signedIn,
  otherBrowser,
}) => {
  const whoami = await page.request.get('/.ory/sessions/whoami')
  endPrivilege(product, ((await whoami.json()) as { id: string }).id)
  await page.goto('/settings')
  await changePassword(page, 'four rather quiet words')
  await expect(heading(page)).toHaveText('Confirm it is you')
  await page.getByRole('textbox', { name: 'Password' }).fill('something else')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
  await page.getByRole('textbox', { name: 'Password' }).fill(signedIn.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(/\/settings/)
  await expect(page.getByText('Your changes are saved.')).toBeVisible()
  await signIn(otherBrowser.request, product, { ...signedIn, password: 'four rather quiet words' })
})

test('signed-in devices are listed, this one first, and the others can be ended', async ({
  page,
  product,
  signedIn,
  otherBrowser,
}) => {
  await signIn(otherBrowser.request, product, signedIn)
  await page.goto('/settings')
  const rows = page.getByRole('list').filter({ hasText: 'This device' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('This device')
  await rows.last().getByRole('button').click()
  await expect(rows).toHaveCount(1)
  expect((await otherBrowser.request.get('/.ory/sessions/whoami')).status()).toBe(401)
  await signIn(otherBrowser.request, product, signedIn)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(rows).toHaveCount(1)
})
