import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page, test } from '@playwright/test'

const { EXAMPLE_URL: example = '', ADMIN_URL: admin = '' } = process.env
const email = `user-${randomUUID().slice(0, 8)}@example.com`
const password = 'three quiet words'

test('a user registers, verifies the address, mistypes the password, logs in and recovers', async ({
  page,
}) => {
  await page.goto(example)
  await page.getByRole('link', { name: 'sign up' }).click()
  await formOf(page, 'password').getByLabel('Email').fill(email)
  await send(page, 'password', { Password: password })
  await page.waitForURL(/\/verify\?flow=/)
  await page.reload()
  await send(page, 'code', { code: await codeFor(page, 1) })
  await formOf(page, 'password').getByLabel('Email').fill(email)
  await send(page, 'password', { Password: 'not my password' })
  await expect(page.getByText('Incorrect email or password')).toBeVisible()
  await send(page, 'password', { Password: password })
  await expect(page.getByRole('heading')).toHaveText(`Hello, ${email}`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await send(page, 'code', { Email: email })
  await send(page, 'code', { code: await codeFor(page, 2) })
  await expect(page.getByRole('heading')).toHaveText('Settings')
  await send(page, 'password', { Password: `${password} again` })
  await expect(page.getByText('Your changes are saved.')).toBeVisible()
})

/** Each method has a form with its button. */
function formOf(page: Page, method: string): Locator {
  return page.locator('form', { has: page.locator(`button[name="method"][value="${method}"]`) })
}

async function send(page: Page, method: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const form = formOf(page, method)
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label).fill(text)
  await form.locator(`button[name="method"][value="${method}"]`).click()
}

/** The newest of that many emails. */
async function codeFor(page: Page, count: number): Promise<string> {
  const messages = `${admin}/admin/courier/messages?recipient=${encodeURIComponent(email)}`
  let sent: { body: string }[] = []
  await expect(async () => {
    sent = (await (await page.request.get(messages)).json()) as typeof sent
    expect(sent.filter(({ body }) => /\b\d{6}\b/.test(body)).length).toBeGreaterThanOrEqual(count)
  }).toPass()
  return sent.flatMap(({ body }) => /\b\d{6}\b/.exec(body) ?? [])[0] ?? ''
}
