import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const aboutColour = ['color-contrast', 'link-in-text-block']

interface Violation {
  readonly id: string
  readonly nodes: readonly string[]
}

/** Outside frames: emails have no scripts for axe. @param rules only these */
export async function violationsIn(page: Page, rules?: readonly string[]): Promise<readonly Violation[]> {
  // Loading axe takes ten times as long as running it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(script)
  const options: RunOptions = { resultTypes: ['violations'], preload: false, iframes: false }
  if (rules) options.runOnly = [...rules]
  return await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ exclude: ['iframe'] }, options)
    return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
  }, options)
}

interface Axe {
  run(context: ElementContext, options: RunOptions): Promise<AxeResults>
}

export async function overflow(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

export async function mirror(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
}

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

/** The browser's own setting, in percent. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setFontSizes', { fontSizes: { standard: (16 * percent) / 100 } })
}

/** Texts that are cut off, and words that continue on the next line. Addresses, codes and names may. */
export async function brokenTexts(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const word = /(?<![^\s“(])[\p{L}\p{M}’]+(?![^\s.,:?!)”…])/gu
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) if (isText(walker.currentNode.parentElement)) texts.push(walker.currentNode)
    return texts.flatMap((text) => [
      ...(isCut(text.parentElement) ? [`${text.nodeValue} (cut off)`] : []),
      ...brokenWords(text),
    ])

    function isText(element: Element | null): boolean {
      if (!element?.checkVisibility({ visibilityProperty: true })) return false
      // For screen readers only, here or until a tap.
      if (getComputedStyle(element).clipPath === 'inset(50%)') return false
      return !element.closest('.sr-only, [translate=no], option')
    }

    function isCut(element: Element | null): boolean {
      if (!element || element === document.body) return false
      const { overflowX, webkitLineClamp, position } = getComputedStyle(element)
      if (webkitLineClamp !== 'none' || position === 'fixed') return false
      return (
        (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
        isCut(element.parentElement)
      )
    }

    function brokenWords(text: Node): string[] {
      return [...(text.nodeValue ?? '').matchAll(word)].flatMap(({ 0: found, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + found.length)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [found] : []
      })
    }
  })
}
