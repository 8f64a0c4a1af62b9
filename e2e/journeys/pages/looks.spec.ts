import type { Locator, Page } from '@playwright/test'
import * as config from '../../../app.config.ts'
import { overflow, setTextSize } from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { createAccount, newUser } from '../../kit/users.ts'

test('titles name what a page shows, and the part of the product', async ({ page, product, account }) => {
  const admin = `${product.admin_url}/ui`
  const pages = [
    ['/demo', 'Login · Demo'],
    ['/demo/inbox', 'Inbox · Demo'],
    ['/demo/emails', 'Email previews · Demo'],
    [admin, 'Overview · Admin'],
    [`${admin}/accounts`, 'Accounts · Admin'],
    [`${admin}/accounts/00000000-0000-4000-8000-000000000000`, 'No such account · Admin'],
    [`${admin}/nowhere`, '404 Not Found · Admin'],
  ] as const
  for (const [path, title] of pages) {
    await page.goto(path)
    await expect(page).toHaveTitle(`${title} · ${config.name}`)
  }
  await page.goto(`${admin}/accounts?q=${account.email}`)
  await page.getByRole('link', { name: account.email }).click()
  await expect(page).toHaveTitle(`${account.email} · Admin · ${config.name}`)
})

test('headings are as bold as others, and as tight, also in large text', async ({
  page,
  product,
  account,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await setTextSize(page, 200)
  await page.goto('/')
  const tightness = await page.locator('h1').evaluate((heading) => {
    const { lineHeight, fontSize } = getComputedStyle(heading)
    return Number.parseFloat(lineHeight) / Number.parseFloat(fontSize)
  })
  expect(tightness).toBeLessThan(1.3)
  await page.goto(`${product.admin_url}/ui/accounts?q=${account.email}`)
  await page.getByRole('link', { name: account.email }).click()
  const address = page.getByRole('heading', { level: 1 }).locator('[translate=no]')
  await expect(address).toHaveCSS('font-weight', '600')
})

test.describe('on the smallest phone', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('the bar shows each of its links whole', async ({ page, signedIn: _ }) => {
    for (const path of ['/about', '/dashboard', '/settings']) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
      const bar = page.getByRole('navigation', { name: 'Main' })
      await expect(bar.getByRole('link', { name: 'About' })).toBeInViewport({ ratio: 1 })
      expect(await hiddenPart(bar), path).toEqual([0, 0])
    }
  })

  test('the list of accounts shows the domain of each address', async ({ page, product }) => {
    const name = newUser().email.split('@')[0]
    for (const domain of ['example.com', 'people.example.com', 'a-company-with-a-long-name.example.com']) {
      await createAccount(product, { ...newUser(), email: `${name}@${domain}` })
    }
    await page.goto(`${product.admin_url}/ui/accounts?q=${name}`)
    const domains = page.getByRole('list', { name: 'Accounts' }).locator('[data-part^="@"]')
    await expect(domains).toHaveCount(3)
    for (const domain of await domains.all()) expect(await hiddenPart(domain)).toEqual([0, 0])
  })
})

test('text that grows without the window hides no link and no address', async ({
  page,
  product,
  signedIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await doubleText(page)
  for (const link of await page.getByRole('banner').getByRole('link').all())
    await expect(link).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await expect(page.getByText(signedIn.email)).toBeVisible()
  expect(await hiddenPart(page.locator(':popover-open'))).toEqual([0, 0])
  await page.goto(`${product.admin_url}/ui/accounts?q=${signedIn.email}`)
  await page.getByRole('link', { name: signedIn.email }).click()
  await doubleText(page)
  for (const link of await page.getByRole('banner').getByRole('link').all())
    await expect(link).toBeInViewport({ ratio: 1 })
  expect(await overflow(page)).toBe(0)
})

/** Media queries do not notice. */
async function doubleText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
}

test('every other way to log in has the same weight', async ({ page }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    const ways = page.getByRole('button', { name: /^Sign (in|up) with/ })
    await expect(ways).toHaveCount(3)
    for (const width of [320, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const looks = await ways.evaluateAll((buttons) =>
        buttons.map(
          (button) => `${button.clientWidth} ${button.clientHeight} ${getComputedStyle(button).font}`,
        ),
      )
      expect(new Set(looks).size, `${path} at ${width} px: ${looks.join(', ')}`).toBe(1)
    }
  }
})

test('only the question whether to delete an account looks dangerous', async ({
  page,
  product,
  signedIn,
}) => {
  await page.goto('/settings/data')
  const download = page.getByRole('region', { name: 'Download your data' })
  await expect(download).toBeVisible()
  await assertDangerous(page.getByRole('region', { name: 'Delete your account' }), /^Delete account/)
  await page.goto(`${product.admin_url}/ui/accounts?q=${signedIn.email}`)
  await page.getByRole('link', { name: signedIn.email }).click()
  await assertDangerous(page.getByRole('region', { name: 'Delete account' }), /^Delete account/)
})

async function assertDangerous(card: Locator, opener: RegExp): Promise<void> {
  await expect(card).toBeVisible()
  expect(await redEdges(card)).toBe(0)
  await card.getByRole('button', { name: opener }).click()
  await expect(card.getByRole('button', { name: 'Cancel' })).toBeVisible()
  expect(await redEdges(card)).toBe(1)
}

/** The colors of the card and of the elements in it. */
async function redEdges(card: Locator): Promise<number> {
  return await card.evaluate((element) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--color-danger)'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return [element, ...element.querySelectorAll('div')].filter((part) => {
      const { borderTopWidth, borderTopColor } = getComputedStyle(part)
      return borderTopWidth !== '0px' && borderTopColor === color
    }).length
  })
}

async function hiddenPart(part: Locator): Promise<readonly number[]> {
  return await part.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
    scrollWidth - clientWidth,
    scrollHeight - clientHeight,
  ])
}
