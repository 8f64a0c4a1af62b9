import { welcome } from '../app/server/emails/welcome.ts'
import { linkTexts as texts } from '../app/texts.ts'
import { expect, expectAccessible, logIn, register, test, verify } from './kit.ts'

const url = 'https://example.com/'

test('a new user gets a welcome, and a list that begins with a link', async ({ page, user }) => {
  await page.goto('/register')
  await register(page, user)
  await verify(page, user)
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('link', { name: texts.title, exact: true }).click()
  await expect(page.getByRole('link', { name: 'https://en.wikipedia.org/wiki/Reading' })).toBeVisible()
  await expectAccessible(page)
  const { mails } = await (await page.request.get('/demo/api/mails')).json()
  const subjects = mails.flatMap((mail: { recipient: string; subject: string }) =>
    mail.recipient === user.email ? [mail.subject] : [],
  )
  expect(subjects).toContain(welcome.write(welcome.sample).subject)
})

test('a link has its own page, to which a visitor returns after the login', async ({ page, signedIn }) => {
  await page.goto('/links')
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.method()))
  await page.getByLabel(texts.url).fill('example')
  await page.getByRole('button', { name: texts.add }).click()
  await expect(page.getByText(texts.noLink)).toBeVisible()
  expect(calls).not.toContain('POST')
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

test('an unknown link shows the screen of an unknown page', async ({ page, signedIn: _ }) => {
  const heading = page.getByRole('heading', { level: 1 })
  await page.goto('/nowhere')
  const words = await heading.innerText()
  await page.goto('/links/unknown')
  await expect(heading).toHaveText(words)
})
