import { few } from '@ostiary/identity/testing/input/sample'
import { aboutTexts, homeTexts } from '../../../app/texts.ts'
import { footer } from '../../../app.config.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { enterPassword, heading, hold } from '../../kit/screen.ts'

const why = homeTexts.forDashboard

test('the server redirects a visitor of the dashboard home, with the reason', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await expect(heading(page)).toHaveText(homeTexts.heading)
  await expect(page.getByText(why)).toBeVisible()
  expect(asked.filter((url) => url.includes('/.ory/'))).toEqual([])
  await page.goto('/')
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText(why)).toBeHidden()
})

test('a redirected visitor learns why before scripts load', async ({ page }) => {
  await page.route('**/assets/*.js', () => {})
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.getByText(why)).toBeInViewport()
  await expect(page.getByRole('banner')).toBeInViewport()
})

for (const path of ['/dashboard', '/settings']) {
  test(`the reason stays and nothing moves while the page of ${path} starts`, async ({ page }) => {
    await page.addInitScript(() => {
      const seen = new Set<string>()
      Object.assign(window, { seen })
      const look = () => {
        const top = document.querySelector('h1')?.getBoundingClientRect().top
        const reason = [...document.querySelectorAll('p[role=status]')].some(
          (one) => one.textContent.includes('Log in to') && one.checkVisibility(),
        )
        // A busy browser paints a page that it has parsed in part.
        if (top !== undefined && document.readyState !== 'loading') seen.add(`${top} ${reason}`)
        requestAnimationFrame(look)
      }
      look()
    })
    await page.goto(path)
    await expect(page).toHaveURL(/\/(login)?$/)
    await expect(page.locator('html')).not.toHaveAttribute('data-redirected')
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
    expect(seen).toEqual([expect.stringMatching(/ true$/)])
  })
}

test("the page stays until the dashboard's screen is loaded", async ({ page }) => {
  const screen = await hold(page, '**/assets/home*')
  await page.goto('/about')
  await expect(heading(page)).toHaveText(aboutTexts.heading)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
  await expect(heading(page)).toHaveText(aboutTexts.heading)
  await screen.release()
  await expect(heading(page)).toHaveText(homeTexts.heading)
  await expect(page).toHaveURL('/')
  await expect(page.getByText(why)).toBeVisible()
})

test('a visitor with an invalid cookie learns why', async ({ page, context, product }) => {
  await context.addCookies([{ name: 'preferences', value: 'x', url: product.url }])
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await expect(page.getByText(why)).toBeVisible()
})

test('a visitor of an account page signs in first and returns with the query and the fragment', async ({
  page,
  account,
}) => {
  await page.goto('/settings/devices?tab=a%20b#here')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Log in to continue.')).toBeVisible()
  await enterPassword(page, account)
  await expect(page).toHaveURL('/settings/devices?tab=a%20b#here')
  await expect(heading(page)).toHaveText('Devices')
})

const foreign = [
  '//evil.example',
  '/\\evil.example',
  '/settings/../evil',
  '/dashboard',
  'https://evil.example',
]

for (const target of few('foreign', foreign, 1)) {
  test(`SEC-31 a sign-in link that names ${target} leads to the dashboard`, async ({ page, account }) => {
    await page.goto(`/login?after=${encodeURIComponent(target)}`)
    await expect(page.getByText('Log in to continue.')).toBeHidden()
    await enterPassword(page, account)
    await expect(heading(page)).toHaveText('Dashboard Page')
  })
}

test('a verification without a flow goes home, which says why and leads to a new code', async ({ page }) => {
  await page.goto('/verify')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('This link to verify your email is incomplete.')).toBeVisible()
  await page.getByRole('link', { name: 'Get a new code' }).click()
  await expect(page).toHaveURL(/\/verify\?flow=/)
  await expect(page.getByRole('button', { name: 'Send me a code' })).toBeVisible()
})

test('FLT-33: after a logout, the back button shows nothing of the account', async ({
  page,
  context,
  signedIn,
}) => {
  await page.goto('/settings')
  const account = page.getByRole('main').getByText(signedIn.email, { exact: true })
  await expect(account.first()).toBeVisible()
  await page.goto('/demo/inbox')
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(other.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/login')
  await expect(account).toHaveCount(0)
})

for (const path of few('unknown', ['/nowhere', '/dashboard/more', '/login/x', '/LOGIN'], 1)) {
  test(`${path} is 404 for users and programs`, async ({ page }) => {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(heading(page)).toHaveText('404 Not Found')
    await expect(page.getByRole('contentinfo')).toHaveText(footer)
  })
}
