import type { BrowserContext, Cookie } from '@playwright/test'
import { expect, test } from '../../kit/fixtures.ts'

async function userJwt(context: BrowserContext): Promise<Cookie | undefined> {
  return (await context.cookies()).find(({ name }) => name === 'user_jwt')
}

function claimsOf({ value }: Cookie): Record<string, unknown> {
  return JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
}

test('HDR-03: user_jwt lasts ten minutes, and scripts can read no other secret', async ({
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
  // By the browser's clock, from the response on.
  expect(cookie!.expires).toBeCloseTo(Number(exp), -2)
  expect([aud].flat()).toEqual([product.url])
  expect([typeof sub, typeof sid]).toEqual(['string', 'string'])
  expect(JSON.stringify(claimsOf(cookie!))).not.toContain(signedIn.email)

  for (const { name, httpOnly, sameSite } of await context.cookies()) {
    if (['user_jwt', 'session_hint'].includes(name)) continue
    expect({ name, httpOnly }).toEqual({ name, httpOnly: true })
    expect(['Lax', 'Strict']).toContain(sameSite)
  }
  const readable = (await page.evaluate(() => document.cookie)).split('; ').sort()
  expect(readable).toEqual(['session_hint=1', expect.stringMatching(/^user_jwt=[\w.-]+$/)])
})

test('SEC-23: one of five tabs renews user_jwt, and all follow a logout', async ({
  page,
  context,
  signedIn: _,
}) => {
  let calls = 0
  let minutes = 0
  // So that the token looks old to the browser.
  await context.route('**/sessions/whoami?**', async (route) => {
    calls += 1
    const response = await route.fetch()
    const session = (await response.json()) as { tokenized?: string }
    if (session.tokenized) session.tokenized = later(session.tokenized, minutes * 60)
    await route.fulfill({ response, json: session })
  })
  await page.clock.install()
  const tabs = [page]
  while (tabs.length < 5) tabs.push(await context.newPage())
  for (const tab of tabs) {
    await tab.goto('/')
    await expect(tab.getByRole('button', { name: 'Logout' })).toBeVisible()
  }
  const before = await userJwt(context)
  calls = 0
  minutes = 9
  await page.clock.fastForward('09:00')
  await expect.poll(async () => (await userJwt(context))?.value).not.toBe(before?.value)
  for (const tab of tabs) await expect(tab.getByRole('button', { name: 'Logout' })).toBeVisible()
  expect(calls).toBe(1)
  await page.getByRole('button', { name: 'Logout' }).click()
  for (const tab of tabs)
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(await userJwt(context)).toBeUndefined()
})

/** Issued some seconds later. */
function later(token: string, seconds: number): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat: number; exp: number }
  const moved = { ...claims, iat: claims.iat + seconds, exp: claims.exp + seconds }
  return [header, Buffer.from(JSON.stringify(moved)).toString('base64url'), signature].join('.')
}

test("a visitor's stale user_jwt is cleared", async ({ page, context, product }) => {
  await context.addCookies([{ name: 'user_jwt', value: 'left.over.token', url: product.url }])
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  await expect.poll(() => userJwt(context)).toBeUndefined()
})
