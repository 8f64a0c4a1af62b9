import type { BrowserContext, Cookie } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

async function userJwt(context: BrowserContext): Promise<Cookie | undefined> {
  return (await context.cookies()).find(({ name }) => name === 'user_jwt')
}

function claimsOf({ value }: Cookie): Record<string, unknown> {
  return JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

test('user_jwt is set after the session is fetched, for at most ten minutes', async ({
  page,
  context,
  product,
  signedIn,
}) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  const cookie = await userJwt(context)
  expect(cookie).toMatchObject({ domain: 'localhost', path: '/', sameSite: 'Lax', secure: true })
  const { iat, exp, aud, sub, sid } = claimsOf(cookie!)
  expect(Number(exp) - Number(iat)).toBe(600)
  expect(cookie!.expires).toBe(Number(exp))
  expect([aud].flat()).toEqual([product.url])
  expect([typeof sub, typeof sid]).toEqual(['string', 'string'])
  expect(JSON.stringify(claimsOf(cookie!))).not.toContain(signedIn.email)
})

test('user_jwt is renewed before it expires', async ({ page, context, signedIn: _ }) => {
  await page.clock.install()
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  const before = await userJwt(context)
  await page.clock.fastForward('09:00')
  await expect.poll(async () => (await userJwt(context))?.value).not.toBe(before?.value)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('user_jwt is gone after signing out', async ({ page, context, signedIn: _ }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(await userJwt(context)).toBeUndefined()
})

test('a visitor has no user_jwt, and one that lies around is cleared', async ({ page, context, product }) => {
  await context.addCookies([{ name: 'user_jwt', value: 'left.over.token', url: product.url }])
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await userJwt(context)).toBeUndefined()
})

test('HDR-03: scripts cannot read the session, and the CSRF cookie stays on this site', async ({
  page,
  context,
  signedIn: _,
}) => {
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  const cookies = await context.cookies()
  for (const { name, httpOnly, sameSite } of cookies) {
    if (name === 'user_jwt') continue
    expect({ name, httpOnly }).toEqual({ name, httpOnly: true })
    expect(['Lax', 'Strict']).toContain(sameSite)
  }
  expect(await page.evaluate(() => document.cookie)).toMatch(/^user_jwt=[\w.-]+$/)
})

test.describe('a logout that fails', () => {
  test.use({ provoked: /could not be logged out/ })

  test('is logged and changes nothing', async ({ page, context, signedIn: _ }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard Page')
    await page.route('**/self-service/logout**', (route) =>
      route.fulfill({ status: 400, json: { error: {} } }),
    )
    const logged = page.waitForEvent('console', (message) =>
      message.text().includes('could not be logged out'),
    )
    await page.getByRole('button', { name: 'Logout' }).click()
    await logged
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
    expect(await userJwt(context)).toBeDefined()
  })
})
