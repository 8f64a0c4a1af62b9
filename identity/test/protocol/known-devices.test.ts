import assert from 'node:assert/strict'
import { test } from '../databases.ts'
import { createTestIdentity } from '../kit.ts'

test('SEC-46 a sign-in sets a device cookie that is valid for 180 days', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const signedIn = await identity.browser().signIn('ada@example.com')
  const [cookie] = signedIn.headers.getSetCookie().filter((line) => line.startsWith('device='))
  assert.match(cookie ?? '', /^device=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
})

test('SEC-46 over https, with the prefix, no sibling host can set the device cookie', async () => {
  const cookies = { host_prefix: true, secure: true }
  const identity = await createTestIdentity({ cookies, session: { cookie: { secure: true } } })
  await identity.user('ada@example.com')
  const signedIn = await identity.browser().signIn('ada@example.com')
  assert.ok(
    signedIn.headers.getSetCookie().some((line) => /^__Host-device=.*; Secure; SameSite=Strict$/.test(line)),
  )
})

test('SEC-46 a refused sign-in and a sign-in of an app set no device cookie', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const refused = await identity.browser().signIn('ada@example.com', 'wrong')
  const app = await identity.app().signIn('ada@example.com')
  for (const { headers } of [refused, app])
    assert.deepEqual(
      headers.getSetCookie().filter((line) => line.startsWith('device=')),
      [],
    )
})
