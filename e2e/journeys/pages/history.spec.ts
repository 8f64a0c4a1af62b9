import { expect, test } from '../../kit/fixtures.ts'
import { enterPassword, heading, hold } from '../../kit/screen.ts'

const typed = 'typed@example.com'

for (const [path, away] of [
  ['/login', 'Forgot password?'],
  ['/register', 'Home'],
  ['/recovery', 'About'],
] as const) {
  test(`an address typed at ${path} is there again after "${away}" and Back, and after a reload`, async ({
    page,
  }) => {
    await page.goto(path)
    const title = await heading(page).innerText()
    await page.getByLabel('Email').fill(typed)
    await page.getByRole('link', { name: away, exact: true }).click()
    await expect(heading(page)).not.toHaveText(title)
    await page.goBack()
    await expect(heading(page)).toHaveText(title)
    await expect(page.getByLabel('Email')).toHaveValue(typed)
    await page.reload()
    await expect(page.getByLabel('Email')).toHaveValue(typed)
  })
}

test('SEC-126: a login or "Forget" ends what was typed, as on shared computers', async ({
  page,
  account,
}) => {
  await page.goto('/register')
  await page.getByLabel('Email').fill(typed)
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await expect(heading(page)).toHaveText('Login')
  await enterPassword(page, account)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/register')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('')
  await page.goto('/login')
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await page.getByLabel('Email').focus()
  await page.getByLabel('Password', { exact: true }).focus()
  await page.getByRole('button', { name: 'Forget' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  await expect(page.getByLabel('Email')).toHaveValue('')
})

test('Back leads from the dashboard to the page before the login', async ({ page, account }) => {
  await page.goto('/about')
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await enterPassword(page, account)
  await expect(page).toHaveURL('/dashboard')
  await page.goBack()
  await expect(page).toHaveURL('/about')
})

test('a signed-in user who opens the login sees no form while the session is checked', async ({
  page,
  signedIn: _,
}) => {
  const session = await hold(page, '**/sessions/whoami*')
  for (const path of ['/login', '/register', '/recovery']) {
    await page.goto(path)
    await expect(page.getByRole('status').filter({ hasText: 'Checking your login…' })).toBeVisible()
    await expect(page.getByRole('main').locator('.hinted\\:opacity-0')).toHaveCSS('opacity', '0')
  }
  await session.release()
  await expect(page).toHaveURL('/dashboard')
})

test('a second step without a session leads to the login, and Back does not lead there again', async ({
  page,
}) => {
  await page.goto('/about')
  await page.goto('/login?aal=aal2')
  await expect(page).toHaveURL('/login')
  await page.goBack()
  await expect(page).toHaveURL('/about')
})
