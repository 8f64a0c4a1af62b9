import type { Locator, Page } from '@playwright/test'
import { mirror } from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'

test('the account menu names the user, moves with arrow keys and returns the focus', async ({
  page,
  signedIn,
}) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: `Account menu, ${signedIn.email}` })
  await button.press('Enter')
  await expect(page.getByText(signedIn.email)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logout' }), 'once').toBeVisible()
  await expect(page.getByRole('link', { name: 'Profile', exact: true })).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('link', { name: 'Security' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Profile', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByText(signedIn.email)).toBeHidden()
  await expect(button).toBeFocused()
})

test('the bar of a narrow phone logs out', async ({ page, signedIn: _ }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeInViewport()
  const bar = await page.getByRole('banner').boundingBox()
  expect(bar?.height).toBeLessThanOrEqual(57)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
})

test('the account menu follows its button and stays inside the window', async ({ page, signedIn: _ }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: /^Account menu/ })
  await expect(button).toBeVisible()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await expectBesideButton(page)
    await mirror(page)
    await expectBesideButton(page)
    // As in a navigation at the side.
    await button.evaluate((element) => {
      element.style.cssText = 'position: fixed; bottom: 8px; left: 8px'
    })
    await expectBesideButton(page)
    await page.reload()
  }
})

async function expectBesideButton(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Account menu/ })
  const menu = page
    .locator('[popover]')
    .filter({ has: page.getByRole('navigation', { name: 'Account menu' }) })
  await button.click()
  await expect(menu.locator('a:focus')).toBeVisible()
  const [anchor, shown] = [await boxOf(button), await boxOf(menu)]
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  expect(
    Math.min(shown.x, shown.y, width - shown.x - shown.width, height - shown.y - shown.height),
  ).toBeGreaterThan(0)
  const apart = Math.max(shown.y - anchor.y - anchor.height, anchor.y - shown.y - shown.height)
  expect(apart, 'above or below').toBeGreaterThanOrEqual(0)
  expect(apart, 'next to the button').toBeLessThan(24)
  expect(Math.min(shown.x + shown.width, anchor.x + anchor.width)).toBeGreaterThan(
    Math.max(shown.x, anchor.x) + 24,
  )
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(button).toBeFocused()
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error(`${element} is not shown.`)
  return box
}

test.describe('without the file of the account menu', () => {
  test.use({ provoked: /Failed to (load resource|fetch)|dynamically imported module/ })

  test('the page and its logout stay', async ({ page, signedIn: _ }) => {
    await page.route('**/assets/account-menu*', (route) => route.abort())
    const failed = page.waitForEvent('console', (line) => line.text().includes('dynamically imported module'))
    await page.goto('/dashboard')
    await failed
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard Page')
  })
})
