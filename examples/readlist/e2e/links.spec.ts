import { linkTexts as texts } from '../app/texts.ts'
import { codeFor, createAccount, expect, expectAccessible, logIn, post, register, test } from './kit.ts'

const url = 'https://example.com/'

test('a new user gets a welcome, and a list that begins with a link', async ({ page, user }) => {
  await page.goto('/register')
  await register(page, user)
  await page.getByLabel('Code').fill(await codeFor(page.request, user.email))
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('link', { name: texts.title, exact: true }).click()
  await expect(page.getByRole('link', { name: 'https://en.wikipedia.org/wiki/Reading' })).toBeVisible()
  await expectAccessible(page)
  const { mails } = await (await page.request.get('/demo/api/mails')).json()
  const subjects = mails.flatMap((mail: { recipient: string; subject: string }) =>
    mail.recipient === user.email ? [mail.subject] : [],
  )
  expect(subjects).toContain('Welcome to Readlist')
})

test('users see the links that they add, and only editors see all', async ({ page, signedIn: _, user }) => {
  const send = (data: object) => post(page, '/api/v1/links', data)
  const count = async (path: string) => {
    const answer = await page.request.get(`/api/v1/links${path}`)
    return answer.ok() ? ((await answer.json()) as object[]).length : answer.status()
  }
  expect((await send({ url })).status()).toBe(201)
  expect((await send({ url: 'javascript:alert(1)' })).status()).toBe(400)
  expect(await count('')).toBe(1)
  expect(await count('/newest')).toBe(403)

  const editor = { ...user, email: `editor-${user.email}` }
  await createAccount(page.request, editor, ['editor'])
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  // A stranger learns nothing about the input.
  expect((await send({})).status()).toBe(401)
  await page.goto('/login')
  await logIn(page, editor)
  await expect(page).toHaveURL('/dashboard')
  expect(await count('')).toBe(0)
  expect(await count('/newest')).toBeGreaterThan(0)
})

test('a link has its own page, to which a visitor returns after the login', async ({ page, signedIn }) => {
  await page.goto('/links')
  await page.getByLabel(texts.url).fill('example')
  await page.getByRole('button', { name: texts.add }).click()
  await expect(page.getByText('Please enter a link')).toBeVisible()
  await page.getByLabel(texts.url).fill(url)
  await page.getByRole('button', { name: texts.add }).click()
  await page.getByRole('link', { name: url }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(texts.url)
  const address = page.url()

  await page.context().clearCookies()
  await page.goto(address)
  await expect(page).toHaveURL('/login')
  await logIn(page, signedIn)
  await expect(page).toHaveURL(address)
  await expect(page.getByRole('link', { name: url })).toBeVisible()
})

test('an unknown link shows the 404 screen', async ({ page, signedIn: _ }) => {
  await page.goto('/links/unknown')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Not Found')
})
