import type { Page } from '@playwright/test'
import { endPrivilege } from '../../kit/database.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'
import { newUser, signIn } from '../../kit/users.ts'

const newPassword = (page: Page) => page.getByRole('textbox', { name: 'New password' })

async function changePassword(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: 'Change password' }).click()
  await newPassword(page).fill(words)
  await page.getByRole('button', { name: 'Save password' }).click()
}

test('/.well-known/change-password leads to the page', async ({ page, signedIn: _ }) => {
  await page.goto('/.well-known/change-password')
  await expect(page).toHaveURL('/settings/security')
  await expect(heading(page)).toHaveText('Security')
})

test('the password can be changed twice', async ({ page, product, signedIn, otherBrowser }) => {
  await page.goto('/settings/security')
  await changePassword(page, 'four rather quiet words')
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await changePassword(page, 'five of the quiet words')
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await signIn(otherBrowser.request, product, { ...signedIn, password: 'five of the quiet words' })
})

test('a user with an old session re-authenticates in place', async ({
  page,
  product,
  signedIn,
  otherBrowser,
}) => {
  await endPrivilege(page, product)
  await page.goto('/settings/security')
  await changePassword(page, 'four rather quiet words')
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill('something else')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: /./ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('main').locator(':focus')).toBeVisible()
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(signedIn.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await signIn(otherBrowser.request, product, { ...signedIn, password: 'four rather quiet words' })
})

test('devices are listed and can be signed out', async ({ page, product, signedIn, otherBrowser }) => {
  await signIn(otherBrowser.request, product, signedIn)
  await page.goto('/settings/devices')
  const rows = page.getByRole('list').filter({ hasText: 'This device' }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('This device')
  await rows.last().getByRole('button').click()
  await rows.last().getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(rows).toHaveCount(1)
  expect((await otherBrowser.request.get('/.ory/sessions/whoami')).status()).toBe(401)
  await signIn(otherBrowser.request, product, signedIn)
  await page.reload()
  await page.getByRole('button', { name: 'Log out everywhere else' }).click()
  await page.getByRole('button', { name: 'Log out everywhere else' }).click()
  await expect(rows).toHaveCount(1)
})

test('a tab replaces what another one has saved only once the user knows', async ({
  page,
  context,
  signedIn: _,
}) => {
  const other = await context.newPage()
  for (const [tab, name] of [
    [page, 'Ada'],
    [other, 'Bo'],
  ] as const) {
    await tab.goto('/settings')
    await tab.getByRole('button', { name: /^(Add|Change) Name$/ }).click()
    await tab.getByRole('textbox', { name: 'Name' }).fill(name)
  }
  const save = (tab: Page) => tab.getByRole('button', { name: 'Save', exact: true }).click()
  await save(page)
  await expect(page.getByText('Saved.')).toBeVisible()
  await save(other)
  await expect(other.getByText(/^This was changed in another tab\./)).toBeVisible()
  await expect(other.getByRole('textbox', { name: 'Name' })).toHaveValue('Bo')
  await save(other)
  await expect(other.getByText('Saved.')).toBeVisible()

  // The first tab has the name before.
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(newUser().email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(page).toHaveURL(/\/verify/)
  await page.goto('/settings')
  await expect(page.getByRole('region', { name: 'Name' })).toContainText('Bo')
})
