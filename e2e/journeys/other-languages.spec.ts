import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

// There is one language now; these keep the way open for others.

const paths = ['/', '/about', '/login', '/register', '/recovery', '/nowhere', '/dashboard', '/settings']

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.use({ viewport: { width: 320, height: 640 }, contextOptions: { reducedMotion: 'reduce' } })

test('read from right to left, every page is mirrored and fits a narrow window', async ({
  page,
  signedIn: _,
}) => {
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    expect(await overflow(page), path).toBe(0)
    const brand = await page.getByRole('link', { name: 'My App' }).boundingBox()
    const about = await page.getByRole('link', { name: 'About', exact: true }).boundingBox()
    expect(brand?.x, path).toBeGreaterThan(about?.x ?? 0)
  }
})

test('words as long as German ones break instead of widening a page', async ({ page, signedIn: _ }) => {
  for (const path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.evaluate(lengthen)
    expect(await overflow(page), path).toBe(0)
  }
})

/** Puts a very long word into every sentence, heading, label and button. */
function lengthen(): void {
  const walker = document.createTreeWalker(
    document.querySelector('main') ?? document.body,
    NodeFilter.SHOW_TEXT,
  )
  while (walker.nextNode()) {
    const { currentNode: node } = walker
    node.nodeValue = (node.nodeValue ?? '').replace(/\p{L}{5,}/u, 'Benutzerkontoeinstellungsmöglichkeiten')
  }
}
