import type { Locator } from '@playwright/test'
import { expect, test } from '../../kit/fixtures.ts'

test.use({ contextOptions: { forcedColors: 'active' } })

test('with forced colors the selected item and the main button have the highlight', async ({
  page,
  signedIn: _,
}) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Change email' }).click()
  const highlight = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.cssText = 'background: Highlight; forced-color-adjust: none'
    return getComputedStyle(probe).backgroundColor
  })
  const background = (place: Locator) =>
    place.evaluate((element) => getComputedStyle(element).backgroundColor)
  const selected = page.getByRole('link', { name: 'Profile' })
  const main = page.getByRole('button', { name: 'Send me a code' })
  const theme = page.locator('label', { hasText: 'System' })
  for (const place of [selected, main, theme]) expect(await background(place)).toBe(highlight)
  expect(await background(page.getByRole('link', { name: 'Security' }))).not.toBe(highlight)
})

test('with forced colors a checkbox keeps its size', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('checkbox', { name: 'Stay logged in' })).toHaveCSS('width', '18px')
})
