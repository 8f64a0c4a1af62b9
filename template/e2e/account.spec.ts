import { dashboardTexts, homeTexts, registerTexts } from '../app/texts.ts'
import { name } from '../app.config.ts'
import { expect, expectAccessible, logIn, logOut, register, test, verify } from './kit.ts'

test('a visitor registers, verifies the address, logs in and out', async ({ page, user }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(name)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(homeTexts.heading)
  await page.getByRole('link', { name: homeTexts.create, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(registerTexts.title)
  await register(page, user)
  await expect(page).toHaveURL(/\/verify\?flow=/)
  await verify(page, user)
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(dashboardTexts.heading)
  await logOut(page)
})

test('the dashboard is for users', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
})

for (const path of ['/', '/about', '/login', '/register', '/recovery', '/nowhere'])
  test(`${path} is accessible`, async ({ page }) => {
    await page.goto(path)
    await expectAccessible(page)
  })

test('the pages of an account are accessible', async ({ page, signedIn: _ }) => {
  for (const path of ['/dashboard', '/settings', '/settings/security', '/settings/devices']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(page)
  }
})
