import { expect, test } from '../../kit/fixtures.ts'

test('the account menu names the user, moves with arrow keys and returns the focus', async ({
  page,
  signedIn,
}) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: `Account menu, ${signedIn.email}` })
  await button.press('Enter')
  await expect(page.getByText(signedIn.email)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Security' })).toBeFocused()
  await page.keyboard.press('End')
  await expect(
    page.getByRole('navigation', { name: 'Account menu' }).getByRole('button', { name: 'Logout' }),
  ).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText(signedIn.email)).toBeHidden()
  await expect(button).toBeFocused()
})

test('the account menu signs out', async ({ page, signedIn: _ }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport()
  const bar = await page.getByRole('banner').boundingBox()
  expect(bar?.height).toBeLessThanOrEqual(57)
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('navigation', { name: 'Account menu' }).getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})
