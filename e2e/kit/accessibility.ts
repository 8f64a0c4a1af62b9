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
