import { aboutTexts, homeTexts } from '../../../app/texts.ts'
import { demoProviders, footer, name as productName, theme } from '../../../app.config.ts'
import { expect, motion, test } from '../../kit/fixtures.ts'
import { enterPassword, fillIn, heading } from '../../kit/screen.ts'

test.use(motion)

test('a user registers, verifies, signs in and signs out in two tabs', async ({
  page,
  context,
  user,
  inbox,
}) => {
  await page.goto('/')
  await expect(heading(page)).toHaveText(homeTexts.heading)
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page).toHaveURL('/register')
  // The previous screen has such a field too.
  await expect(heading(page)).toHaveText('Sign up')
  await fillIn(page, user)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()

  await expect(page).toHaveURL(/\/verify\?flow=[\w-]+$/)
  await expect(page.getByText(user.email)).toBeVisible()
  await page.getByLabel('Code').fill(await inbox.code(user.email))
  await expect(heading(page)).toHaveText('Email Verified!')
  await expect(page.getByText('You can now log in.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to Login' }).click()

  await expect(page).toHaveURL('/login')
  await enterPassword(page, user)
  await expect(page).toHaveURL('/dashboard')
  await expect(heading(page)).toHaveText('Dashboard Page')
  await expect(page.getByText('Welcome to your dashboard! This is a protected route.')).toBeVisible()

  await page.reload()
  await expect(heading(page)).toHaveText('Dashboard Page')

  const second = await context.newPage()
  await second.goto('/')
  await second.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(heading(second)).toHaveText('Dashboard Page')

  await second.getByRole('button', { name: 'Logout' }).click()
  await expect(second).toHaveURL('/')
  await expect(second.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
})

test('every screen has the bar and the footer', async ({ page }) => {
  for (const path of ['/', '/about', '/login', '/register', '/nowhere']) {
    await page.goto(path)
    const bar = page.getByRole('banner')
    await expect(bar.getByText(productName)).toBeVisible()
    for (const name of ['Home', 'Dashboard', 'About', 'Login']) {
      await expect(bar.getByRole('link', { name, exact: true })).toBeVisible()
    }
    await expect(page.getByRole('contentinfo')).toHaveText(footer)
  }
})

test('the public pages show their texts', async ({ page }) => {
  await page.goto('/')
  await expect(heading(page)).toHaveText(homeTexts.heading)
  await expect(page.getByText(homeTexts.lead)).toBeVisible()
  await page.getByRole('link', { name: 'About' }).click()
  await expect(heading(page)).toHaveText(aboutTexts.heading)
  await page.goto('/login')
  await expect(page.getByText('Or continue with')).toBeVisible()
  for (const { label } of demoProviders)
    await expect(page.getByRole('button', { name: `Sign in with ${label}` })).toBeVisible()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/recovery')
})

test('the name, the accent and the logo reach home screens and previews of links', async ({
  page,
  request,
}) => {
  await page.goto('/about')
  const hrefOf = async (rel: string) => (await page.locator(`link[rel="${rel}"]`).getAttribute('href')) ?? ''
  const preview = await page.locator('meta[property="og:image"]').getAttribute('content')
  for (const picture of [await hrefOf('apple-touch-icon'), preview ?? '']) {
    const response = await request.get(picture)
    expect([response.status(), response.headers()['content-type']], picture).toEqual([200, 'image/png'])
  }
  expect(new URL(preview ?? '').origin).toBe(new URL(page.url()).origin)
  const manifest = await (await request.get(await hrefOf('manifest'))).json()
  expect(manifest).toMatchObject({ name: productName, theme_color: theme.accent })
  for (const { src } of manifest.icons) expect((await request.get(src)).status(), src).toBe(200)
})
