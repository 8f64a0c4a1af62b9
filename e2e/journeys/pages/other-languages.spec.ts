import { name as productName } from '../../../app.config.ts'
import { mirror } from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'

// Arabic has its own digits, Japanese its own order of a date.
for (const locale of ['ar', 'ja-JP']) {
  test.describe(locale, () => {
    test.use({ locale })

    test('a page has one language, whatever the browser’s is', async ({ page, signedIn: _ }) => {
      for (const path of ['/settings/devices', '/settings/activity']) {
        await page.goto(path)
        for (const time of await page.locator('main time').filter({ hasText: /./ }).all()) {
          await expect(time).toHaveText(/^(just now|\d+ minutes? ago) \(\w{3} \d+, \d+, \d+:\d+\s[AP]M\)$/)
        }
        await expect(page.locator('main time').first()).toHaveText(/^(just now|\d+ minutes? ago)/)
      }
    })
  })
}

// Keeps other languages possible.
test('right-to-left mirrors the bar and the account', async ({ page, signedIn: _ }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const path of ['/', '/settings/security']) {
    await page.goto(path)
    await expect(heading(page)).toBeVisible()
    await mirror(page)
    const brand = await page.getByRole('link', { name: productName }).boundingBox()
    const about = await page.getByRole('link', { name: 'About', exact: true }).boundingBox()
    expect(brand?.x, path).toBeGreaterThan(about?.x ?? 0)
  }
  const pages = await page.getByRole('navigation', { name: 'Account', exact: true }).boundingBox()
  const title = await heading(page).boundingBox()
  expect(pages?.x).toBeGreaterThan(title?.x ?? 0)
})
