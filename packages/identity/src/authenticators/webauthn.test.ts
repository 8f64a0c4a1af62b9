import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { createTestIdentity } from '../../test/kit/kit.ts'
import { integrity, SCRIPT_PATH, webauthnScript } from './nodes.ts'

interface Field {
  value: string
  readonly closest: () => Form
}

interface Form {
  sent: number
  submit(): void
  querySelector(selector: string): Field | undefined
}

type Asked = Record<string, unknown> & { publicKey: Record<string, unknown> }

function page(values: Record<string, string>, answer: (asked: Asked) => unknown) {
  const asked: Asked[] = []
  const errors: unknown[] = []
  const form: Form = { sent: 0, submit: () => void form.sent++, querySelector: (selector) => find(selector) }
  const fields = new Map<string, Field>(
    Object.entries(values).map(([name, value]) => [name, { value, closest: () => form }]),
  )
  const find = (selector: string) => fields.get(/name="([^"]+)"/.exec(selector)?.[1] ?? '')
  const ask = async (options: Asked) => {
    asked.push(options)
    return await answer(options)
  }
  const window = {
    PublicKeyCredential: { isConditionalMediationAvailable: async () => true },
    dispatchEvent: (event: { type: string }) => void events.push(event.type),
  } as Record<string, unknown>
  const events: string[] = []
  const context = createContext({
    window,
    document: { querySelector: find },
    navigator: { credentials: { get: ask, create: ask } },
    console: { error: (error: unknown) => void errors.push(error) },
    alert: (error: unknown) => void errors.push(error),
    CustomEvent: class {
      readonly type: string
      constructor(type: string) {
        this.type = type
      }
    },
    AbortController,
    atob,
    btoa,
    Uint8Array,
  })
  const load = () => runInContext(webauthnScript, context)
  load()
  const call = (name: string, ...more: unknown[]) =>
    (window[name] as (...more: unknown[]) => Promise<void>)(...more)
  return { window, form, fields, asked, errors, events, load, call }
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const text = (value: unknown) => Buffer.from(value as Uint8Array).toString('base64url')

const assertion = {
  id: 'AQI_-w',
  rawId: bytes('AQI_-w'),
  type: 'public-key',
  response: {
    authenticatorData: bytes('AAEC'),
    clientDataJSON: bytes('e30'),
    signature: bytes('-_8'),
    userHandle: null,
  },
}
const attestation = {
  id: 'AQI_-w',
  rawId: bytes('AQI_-w'),
  type: 'public-key',
  response: { attestationObject: bytes('oA'), clientDataJSON: bytes('e30') },
}
const request = { publicKey: { challenge: 'q83v', rpId: 'app.test', allowCredentials: [{ id: 'AAEC' }] } }
const creation = { publicKey: { challenge: 'q83v', user: { id: 'AAEC', name: 'Example App' } } }

test('serves the script with the hash that forms name', async () => {
  const identity = await createTestIdentity()
  const answer = await identity.browser().get(SCRIPT_PATH)
  assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=UTF-8')
  assert.equal(integrity, `sha512-${createHash('sha512').update(answer.body).digest('base64')}`)
})

test('announces that the script has loaded, and initializes once', () => {
  const { events, window, load } = page({}, () => undefined)
  const before = window.oryPasskeyLogin
  load()
  assert.deepEqual(events, ['oryWebAuthnInitialized'])
  assert.equal(window.oryPasskeyLogin, before)
  assert.equal(window.__oryPasskeyLogin, before)
})

test('signs in with a passkey on click', async () => {
  const values = { passkey_challenge: JSON.stringify(request), passkey_login: '' }
  const { call, form, fields, asked } = page(values, () => assertion)
  await call('oryPasskeyLogin')
  assert.equal(text(asked[0]?.publicKey.challenge), 'q83v')
  assert.equal(form.sent, 1)
  assert.deepEqual(JSON.parse(fields.get('passkey_login')?.value ?? ''), {
    id: 'AQI_-w',
    rawId: 'AQI_-w',
    type: 'public-key',
    response: { authenticatorData: 'AAEC', clientDataJSON: 'e30', signature: '-_8', userHandle: '' },
  })
})

test('replaces a pending autofill request and restarts it if the passkey fails', async () => {
  const values = { passkey_challenge: JSON.stringify(request), passkey_login: '', identifier: '' }
  const { call, form, asked, window } = page(values, ({ mediation }) => {
    if (mediation === 'conditional') return new Promise(() => {})
    throw new Error('the user closed the window')
  })
  void call('oryPasskeyLoginAutocompleteInit')
  await new Promise((resolve) => setImmediate(resolve))
  const first = asked[0]?.signal as AbortSignal
  void call('oryPasskeyLogin')
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(first.aborted, true)
  assert.deepEqual(
    asked.map(({ mediation }) => mediation),
    ['conditional', undefined, 'conditional'],
  )
  assert.ok(window.abortPasskeyConditionalUI)
  assert.equal(form.sent, 0)
})

test("names a new passkey after the user's input", async () => {
  const data = { credentialOptions: creation, displayNameFieldName: 'traits.email' }
  const values = {
    passkey_create_data: JSON.stringify(data),
    passkey_register: '',
    'traits.email': 'ada@example.com',
  }
  const { call, form, asked } = page(values, () => attestation)
  await call('oryPasskeyRegistration')
  const { name, displayName } = asked[0]!.publicKey.user as { name: string; displayName: string }
  assert.deepEqual([name, displayName, form.sent], ['ada@example.com', 'ada@example.com', 1])
})

test('adds a passkey and a security key in settings', async () => {
  const values = {
    passkey_create_data: JSON.stringify(creation),
    passkey_settings_register: '',
    webauthn_register: '',
    webauthn_register_trigger: JSON.stringify(creation),
  }
  const { call, form, fields } = page(values, () => attestation)
  await call('oryPasskeySettingsRegistration')
  await call('oryWebAuthnRegistration')
  const expected = {
    id: 'AQI_-w',
    rawId: 'AQI_-w',
    type: 'public-key',
    response: { attestationObject: 'oA', clientDataJSON: 'e30' },
  }
  for (const name of ['passkey_settings_register', 'webauthn_register']) {
    assert.deepEqual(JSON.parse(fields.get(name)?.value ?? ''), expected)
  }
  assert.equal(form.sent, 2)
})

test('ignores a pending autofill request of a replaced form', async () => {
  const values = {
    passkey_challenge: JSON.stringify(request),
    passkey_login: '',
    identifier: '',
    passkey_create_data: JSON.stringify(creation),
    passkey_settings_register: '',
    webauthn_login: '',
    webauthn_login_trigger: JSON.stringify(request),
  }
  const { call, form } = page(values, oneAtATime())
  void call('oryPasskeyLoginAutocompleteInit')
  await new Promise((resolve) => setImmediate(resolve))
  await call('oryPasskeySettingsRegistration')
  assert.equal(form.sent, 1)
  void call('oryPasskeyLoginAutocompleteInit')
  await new Promise((resolve) => setImmediate(resolve))
  await call('oryWebAuthnLogin')
  assert.equal(form.sent, 2)
})

/** Rejects a second request while one is pending, as browsers do. */
function oneAtATime() {
  let waiting: AbortSignal | undefined
  return ({ mediation, signal, publicKey }: Asked) => {
    if (waiting && !waiting.aborted) throw new Error('A request is already pending.')
    waiting = mediation === 'conditional' ? (signal as AbortSignal) : undefined
    if (waiting) return new Promise(() => {})
    return publicKey.user ? attestation : assertion
  }
}

test('takes options from the button or from the call', async () => {
  const values = { webauthn_login: '', webauthn_login_trigger: JSON.stringify(request) }
  const { call, asked } = page(values, () => assertion)
  await call('oryWebAuthnLogin')
  await call('oryWebAuthnLogin', { publicKey: { ...request.publicKey, challenge: 'AAAA' } })
  assert.deepEqual(
    asked.map(({ publicKey }) => text(publicKey.challenge)),
    ['q83v', 'AAAA'],
  )
})

test('shows an error if a security key fails', async () => {
  const values = { webauthn_login: '', webauthn_login_trigger: JSON.stringify(request) }
  const { call, errors, form } = page(values, () => {
    throw new Error('no')
  })
  await call('oryWebAuthnLogin')
  assert.deepEqual([errors.length, form.sent], [1, 0])
})
