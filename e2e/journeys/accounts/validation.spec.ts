import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../../kit/fixtures.ts'
import { alert } from '../../kit/screen.ts'

const emailText = 'Please enter a valid email address.'
const passwordText = 'Password must be at least 6 characters.'

const forms = [
  { path: '/login', button: 'Login' },
  { path: '/register', button: 'Sign up' },
] as const

for (const { path, button } of forms) {
  const press = (page: Page) => page.getByRole('button', { name: button, exact: true }).click()

  test(`${path} requires a valid address and six characters`, async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await page.goto(path)
    const email = page.getByLabel('Email')
    const password = page.getByRole('textbox', { name: 'Password' })
    await email.fill('not-an-address')
    await password.fill('12345')
    await expect(page.getByText(emailText)).toBeHidden()
    await press(page)
    await expect(page.getByText(emailText)).toBeVisible()
    await expect(page.getByText(passwordText)).toBeVisible()
    await expect(page.getByRole('region', { name: '2 fields to correct:' })).toBeFocused()
    await expect(email).toHaveAccessibleDescription(emailText)
    await expect(password).toHaveAccessibleDescription(new RegExp(passwordText.replaceAll('.', '\\.')))
    await expect(email).toHaveAttribute('aria-invalid', 'true')
    await expect(page).toHaveTitle(/^Error: /)
    await expect(email).toHaveValue('not-an-address')
    expect(sent).toEqual([])

    await email.fill('user@example.com')
    await expect(page.getByText(emailText)).toBeHidden()
    await password.fill('123456')
    await expect(page.getByText(passwordText)).toBeHidden()
  })
}

test('a field, its error and its hint are equally far apart', async ({ page }) => {
  await page.goto('/register')
  const password = page.getByRole('textbox', { name: 'Password' })
  const button = page.getByRole('button', { name: 'Sign up', exact: true })
  const [error, hint] = [page.locator('#password-error'), page.locator('#password-hint')]
  await page.getByLabel('Email').fill('user@example.com')
  await password.fill('password')
  await button.click()
  await expect(error).toHaveText(/easy to guess/)
  expect(await gapBetween(password, error)).toBe(await gapBetween(error, hint))
  const place = await button.boundingBox()
  await password.fill('123456')
  await expect(error).toBeHidden()
  expect(await gapBetween(password, hint), 'the hint takes the place of the error').toBeLessThan(10)
  expect(await button.boundingBox()).toEqual(place)
})

test('the error of a short password takes the place of its hint, and nothing moves', async ({ page }) => {
  await page.goto('/register')
  const password = page.getByRole('textbox', { name: 'Password' })
  const button = page.getByRole('button', { name: 'Sign up', exact: true })
  const [error, hint] = [page.locator('#password-error'), page.locator('#password-hint')]
  await page.getByLabel('Email').fill('user@example.com')
  await password.fill('12345')
  const place = await button.boundingBox()
  await button.click()
  await expect(error).toHaveText(passwordText)
  await expect(hint).toBeHidden()
  expect(await button.boundingBox()).toEqual(place)
  await password.fill('123456')
  await expect(error).toHaveText('')
  await expect(hint).toBeVisible()
  expect(await button.boundingBox()).toEqual(place)
})

/** In pixels, without the border of a field. */
async function gapBetween(upper: Locator, lower: Locator): Promise<number> {
  const bottom = await upper.evaluate((element) => {
    return (element.closest('[class*=border-danger]') ?? element).getBoundingClientRect().bottom
  })
  return Math.round((await lower.evaluate((element) => element.getBoundingClientRect().top)) - bottom)
}

test('a wrong password and an unknown address look the same', async ({ page, account }) => {
  const texts: (string | null)[] = []
  for (const email of [account.email, `unknown-${account.email}`]) {
    await page.goto('/login')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(alert(page)).toBeVisible()
    texts.push(await alert(page).textContent())
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue('')
  }
  expect(texts[0]).toBe(texts[1])
})

test('a double click presses no other button', async ({ page, account }) => {
  const first = Promise.withResolvers<void>()
  let count = 0
  await page.route('**/self-service/login?flow=*', async (route) => {
    count += 1
    if (count === 2) await first.promise
    await route.continue()
  })
  await page.goto('/login')
  const passkey = page.getByRole('button', { name: 'Sign in with a passkey' })
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong once')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(alert(page)).toBeVisible()
  const place = await passkey.boundingBox()
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong twice')
  await page.getByRole('button', { name: 'Login', exact: true }).dblclick()
  await expect(page.getByRole('button', { name: 'Logging in…' })).toBeVisible()
  await expect(alert(page)).toBeHidden()
  expect(await passkey.boundingBox()).toEqual(place)
  first.resolve()
  await expect(alert(page)).toBeVisible()
  expect(count).toBe(2)
})

test('a double click on changing errors presses no other button', async ({ page, account }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong once')
  const button = page.getByRole('button', { name: 'Login', exact: true })
  await button.click()
  await expect(alert(page)).toBeVisible()
  const box = await button.boundingBox()
  if (!box) throw new Error('The button has no place')
  // The shorter error moves another button up.
  await page.mouse.dblclick(box.x + 20, box.y + box.height - 2)
  await expect(page.getByText(passwordText)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Waiting for your passkey…' })).toBeHidden()
  await expect(page).toHaveURL('/login')
})

test('a taken address looks like a new one', async ({ page, account, inbox }) => {
  await page.goto('/register')
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('another long password')
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page).toHaveURL(/\/verify\?flow=/)
  await expect(page.getByText(account.email)).toBeVisible()
  const mail = await inbox.newest(account.email)
  expect(mail.code).toBeUndefined()
})
