import { join } from 'node:path'
import { test } from '../kit/fixtures.ts'
import { states } from '../states/states.ts'
import { folder, heights, pictureName, schemes, widths } from './folder.ts'

test.use({
  provoked: /^(Failed to load resource: |Error fetching session |TypeError: Failed to fetch dynamically)/,
})

for (const { name, show } of states) {
  test(name, async ({ page, product }) => {
    await show({ page, product })
    for (const width of widths) {
      await page.setViewportSize({ width, height: heights[width] })
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        if ((await page.locator('iframe').count()) > 0) await page.waitForTimeout(700)
        const path = join(folder, pictureName(name, colorScheme, width))
        await page.screenshot({ path, fullPage: true, animations: 'disabled', caret: 'initial' })
      }
    }
  })
}
