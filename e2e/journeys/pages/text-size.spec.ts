import { isChosen } from '@ostiary/identity/testing/input/sample'
import { brokenTexts, overflow, setTextSize } from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { states } from '../../states/states.ts'

test.use({
  provoked: /^(Failed to load resource: |Error fetching session |TypeError: Failed to fetch dynamically)/,
})

for (const { name, show } of states.filter(({ name }) => isChosen(name, 5))) {
  test(`no text is cut off or broken at 200 % on a phone: ${name}`, async ({ page, product }) => {
    await show({ page, product })
    for (const percent of [175, 200]) {
      await setTextSize(page, percent)
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await brokenTexts(page), `${percent} %, ${width} px`).toEqual([])
        expect(await overflow(page), `${percent} %, ${width} px`).toBe(0)
      }
    }
  })
}
