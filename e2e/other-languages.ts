import type { Page } from '@playwright/test'

/** How much wider than the window the page is, in pixels. */
export async function overflow(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

/** Sets the page right to left, as for Arabic or Hebrew. */
export async function mirror(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
}

/** Adds a word of German length to every sentence, heading, label and button. */
export async function lengthen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const root = document.querySelector('main') ?? document.body
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { currentNode: node } = walker
      node.nodeValue = (node.nodeValue ?? '').replace(/\p{L}{5,}/u, 'Benutzerkontoeinstellungsmöglichkeiten')
    }
  })
}
