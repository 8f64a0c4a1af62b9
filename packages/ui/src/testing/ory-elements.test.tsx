import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as nodeUrl from 'node:url'
import { Recovery, Registration, Settings, Verification } from '@ory/elements-react/theme'
import type { Browser, TestIdentity } from '@ostiary/identity/testing'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { config, LoginPage } from './elements-login.tsx'

// A person uses the cards of Ory Elements, which send their forms to the real service.

const SERVICE = `${location.origin}/.ory`
const EMAIL = 'ada@example.com'
const PASSWORD = 'three quiet words'

// Vite would transform the service's 300 files.
const require = createRequire(import.meta.url)

let identity: TestIdentity
let browser: Browser
let visited: string[]

beforeEach(async () => {
  stubBrowser()
  const { createTestIdentity } =
    require('@ostiary/identity/testing') as typeof import('@ostiary/identity/testing')
  identity = await createTestIdentity({ serve: { public: { base_url: `${SERVICE}/` } } })
  browser = identity.browser()
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit) => {
    const raw = body ? { raw: String(body) } : {}
    const sending = { headers: Object.fromEntries(new Headers(headers)), ...raw }
    const answer = await browser.send(method, url, undefined, sending)
    return new Response(JSON.stringify(answer.body), answer)
  })
  const script = await browser.get('/.well-known/ory/webauthn.js')
  // biome-ignore lint/security/noGlobalEval: a page loads it by its script node
  globalThis.eval(script.body)
})
afterEach(async () => {
  cleanup()
  await identity.stop()
})

function stubBrowser(): void {
  // The texts of these cards are not ours.
  vi.mocked(document.createTextNode).mockRestore()
  // The service takes Node's.
  vi.stubGlobal('URL', nodeUrl.URL)
  vi.stubGlobal('URLSearchParams', nodeUrl.URLSearchParams)
  // jsdom has none of these.
  vi.stubGlobal('PublicKeyCredential', {})
  document.elementFromPoint ??= () => null
  visited = []
  const address = {
    href: `${location.origin}/`,
    origin: location.origin,
    assign: (url: string) => visited.push(url),
  }
  const get = (target: typeof globalThis, name: keyof typeof globalThis) =>
    name === 'location' ? address : Reflect.get(target, name, target)
  vi.stubGlobal('window', new Proxy(window, { get }))
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

/** The flow of a page to which a card sent the person. */
async function flowAt(path: string) {
  await waitFor(() => expect(visited).toHaveLength(1))
  const { pathname, searchParams } = new URL(String(visited.pop()), location.origin)
  expect(pathname).toBe(path)
  return (await browser.get(`/self-service${path}/flows?id=${searchParams.get('flow')}`)).body
}

const whoami = async () => (await browser.get('/sessions/whoami')).body.identity?.traits.email

test('Ory Elements register a user and verify the address', async () => {
  const { body: flow } = await browser.get('/self-service/registration/browser')
  render(<Registration flow={flow} config={config} />)
  type('Email', EMAIL)
  type('Password', 'short')
  press('Sign up')
  await screen.findByText('The password must be at least 8 characters long, but got 5.')
  type('Password', PASSWORD)
  press('Sign up')
  const verification = await flowAt('/verification')
  cleanup()
  render(<Verification flow={verification} config={config} />)
  type('Verification code', '000000')
  press('Continue')
  await screen.findByText(/The verification code is invalid/)
  type('Verification code', await identity.code(EMAIL))
  press('Continue')
  await screen.findByText(/successfully verified/)
  expect(await whoami()).toBe(EMAIL)
})

test("Ory Elements log in as in the documentation's example", async () => {
  await identity.user(EMAIL)
  render(<LoginPage />)
  await screen.findByLabelText('Email')
  for (const name of ['Sign in with passkey', 'Send sign in code']) screen.getByRole('button', { name })
  type('Email', EMAIL)
  type('Password', 'not that one')
  press('Sign in with password')
  await screen.findByText(/The provided credentials are invalid/)
  expect(await whoami()).toBeUndefined()
  type('Password', 'correct horse 9 battery')
  press('Sign in with password')
  await waitFor(() => expect(visited).toEqual([`${location.origin}/`]))
  expect(await whoami()).toBe(EMAIL)

  const page = readFileSync('docs/other-backends.md', 'utf8')
  expect(page).toContain(readFileSync(`${import.meta.dirname}/elements-login.tsx`, 'utf8'))
})

test('Ory Elements recover an account and change its password', async () => {
  await identity.user(EMAIL)
  const { body: flow } = await browser.get('/self-service/recovery/browser')
  render(<Recovery flow={flow} config={config} />)
  type('Email', EMAIL)
  press('Continue')
  await screen.findByLabelText('Recovery code')
  type('Recovery code', await identity.code(EMAIL))
  press('Continue')
  const settings = await flowAt('/settings')
  cleanup()
  render(<Settings flow={settings} config={config} />)
  await screen.findByText(/You successfully recovered your account/)
  type('Password', PASSWORD)
  const form = within(screen.getByTestId('ory/screen/settings/group/password'))
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  expect((await flowAt('/settings')).state).toBe('success')
  expect((await identity.browser().signIn(EMAIL, PASSWORD)).status).toBe(200)
})
