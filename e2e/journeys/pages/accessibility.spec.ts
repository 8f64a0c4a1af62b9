import { few, isChosen } from '@ostiary/identity/testing/input/sample'
import type { Page } from '@playwright/test'
import {
  aboutColour,
  brokenTexts,
  lengthen,
  mirror,
  overflow,
  setTextSize,
  violationsIn,
} from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { inboxOf } from '../../kit/inbox.ts'
import { states } from '../../states/states.ts'

test.use({
  provoked: /^(Failed to load resource: |Error fetching session |TypeError: Failed to fetch dynamically)/,
})

/** In pairs; each run tests one per state. */
const looks = [
  [
    { width: 1280, colorScheme: 'light' },
    { width: 390, colorScheme: 'dark' },
  ],
  [
    { width: 390, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ],
] as const

// In one test, because reaching a state takes longer than measuring its texts.
for (const { name, show } of states.filter(({ name }) => isChosen(name, 8))) {
  test(`axe finds nothing, and large text fits: ${name}`, async ({ page, product }) => {
    await show({ page, product })
    await test.step('no text is cut off or broken at 200 % on a phone', () => assertLargeTextFits(page))
    await test.step('axe finds nothing, light and dark, wide and narrow', () => assertAccessible(page, name))
  })
}

test('axe finds nothing: the HTML of an email', async ({ page, context, product, registered }) => {
  const { id } = await inboxOf(product).newest(registered.email)
  const response = await context.request.get(`/demo/mails/${id}`)
  await page.setContent(await response.text())
  expect(await violationsIn(page)).toEqual([])
})

async function assertLargeTextFits(page: Page): Promise<void> {
  for (const percent of [175, 200]) {
    await setTextSize(page, percent)
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await brokenTexts(page), `${percent} %, ${width} px`).toEqual([])
      expect(await overflow(page), `${percent} %, ${width} px`).toBe(0)
    }
  }
  await setTextSize(page, 100)
}

async function assertAccessible(page: Page, name: string): Promise<void> {
  for (const { width, colorScheme } of few(name, looks, 1).flat()) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    const rules = colorScheme === 'dark' ? aboutColour : undefined
    expect(await violationsIn(page, rules), `${colorScheme}, ${width} px`).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await overflow(page), 'nothing has to be scrolled sideways at 320 px').toBe(0)
  await mirror(page)
  expect(await overflow(page), 'nor read from right to left').toBe(0)
  await lengthen(page)
  expect(await overflow(page), 'nor with words as long as German ones').toBe(0)
}
