import { homeTexts } from '../../../app/texts.ts'
import { name as productName, theme } from '../../../app.config.ts'
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
