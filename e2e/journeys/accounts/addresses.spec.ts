import type { Page } from '@playwright/test'
import { overflow } from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { createAccount, newUser, signIn } from '../../kit/users.ts'

const long = () => ({
  ...newUser(),
  email: `layla.bint-abd.al-rahman.${Date.now()}@customer-success.post.sub-domain.example.com`,
})

for (const width of [390, 1280]) {
  test(`no address of an email is torn apart at ${width} px`, async ({ page, product }) => {
    await page.setViewportSize({ width, height: 800 })
    const users = [newUser(), long()]
    for (const user of users) await createAccount(product, user)
    await signIn(page.context().request, product, users[1]!)

    await page.goto('/settings')
    await page.getByRole('button', { name: 'Change email' }).click()
    await page.getByLabel('New email').fill(long().email)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify your email')
    expect(await tornAddresses(page)).toEqual([])
    await page.goto('/settings')
    await expect(page.getByText('Change pending')).toBeVisible()
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await expect(page.getByText(users[1]!.email).last()).toBeVisible()
    expect(await tornAddresses(page)).toEqual([])
    expect(await page.locator('[popover] *').evaluateAll(countCut)).toBe(0)

    for (const path of ['accounts', 'emails']) {
      await page.goto(`${product.admin_url}/ui/${path}`)
      await expect(page.getByText('@').first()).toBeVisible()
      expect(await tornAddresses(page)).toEqual([])
      for (const row of await page.getByRole('listitem').all())
        expect(await row.locator('span').evaluateAll(countCut)).toBeLessThan(2)
      expect(await overflow(page)).toBe(0)
    }
  })
}

/** Ellipses. The parts of an address that do not fit into its line are below it, where nothing is shown. */
function countCut(elements: readonly Element[]): number {
  const isCut = (one: Element) => {
    const line = one.closest('[title]') ?? one
    const isShown = one.getBoundingClientRect().top < line.getBoundingClientRect().bottom
    const { textOverflow } = getComputedStyle(one)
    return isShown && textOverflow === 'ellipsis' && one.clientWidth > 1 && one.scrollWidth > one.clientWidth
  }
  return elements.filter(isCut).length
}

/** Addresses with a part on more than one line although it fits on one. */
async function tornAddresses(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const part = /[\w.+-]*@[\w.-]+|[\w+-]+\.[\w.+-]+/g
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) if (isShown(walker.currentNode)) texts.push(walker.currentNode)
    return texts.flatMap((text) =>
      [...(text.nodeValue ?? '').matchAll(part)].flatMap(({ 0: found, index }) =>
        isTorn(text, index, found.length) ? [found] : [],
      ),
    )

    function isShown({ parentElement }: Node): boolean {
      return (parentElement?.checkVisibility() ?? false) && !parentElement?.closest('.sr-only, option')
    }

    function isTorn(text: Node, start: number, length: number): boolean {
      const range = document.createRange()
      range.setStart(text, start)
      range.setEnd(text, start + length)
      const rects = [...range.getClientRects()]
      const width = rects.reduce((sum, rect) => sum + rect.width, 0)
      const line = text.parentElement?.closest('p, h1, div, li, dd')?.clientWidth ?? 0
      return new Set(rects.map(({ top }) => Math.round(top))).size > 1 && width < line
    }
  })
}
