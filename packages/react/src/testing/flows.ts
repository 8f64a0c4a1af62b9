import type { Answer } from './fake-service.ts'

type Json = Record<string, unknown>

export const ADA = 'ada@example.com'

export const text = (id: number, words: string, type = 'error') => ({ id, text: words, type })

export function input(name: string, type: string, value?: unknown, messages: unknown[] = []): Json {
  const attributes = {
    name,
    type,
    disabled: false,
    node_type: 'input',
    ...(value !== undefined && { value }),
  }
  const group = name === 'method' && type === 'submit' ? value : name === 'password' ? name : 'default'
  return { type: 'input', group, attributes, messages, meta: {} }
}

export const providerNode = (provider: string, name = 'provider', label = 1010002, context?: Json): Json => ({
  ...input(name, 'submit', provider),
  group: 'oidc',
  meta: { label: { ...text(label, `Go on with ${provider}`, 'info'), context } },
})

const demoProviders = [providerNode('github'), providerNode('google')]

interface Given {
  id?: string
  messages?: Json[]
  csrf?: boolean
  fields?: Record<string, Json[]>
}

function flow(
  kind: string,
  nodes: Json[],
  { id = `${kind}-1`, messages, csrf = true, fields = {} }: Given,
  more: Json,
): Json {
  const all = [...(csrf ? [input('csrf_token', 'hidden', `csrf-of-${id}`)] : []), ...nodes]
  const withMessages = all.map((node) => {
    const { name } = node.attributes as { name: string }
    return fields[name] ? { ...node, messages: fields[name] } : node
  })
  return {
    id,
    type: 'browser',
    issued_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 600_000).toISOString(),
    request_url: `http://localhost:3000/.ory/self-service/${kind}/browser`,
    state: 'choose_method',
    ui: {
      action: `http://localhost:3000/.ory/self-service/${kind}?flow=${id}`,
      method: 'POST',
      nodes: withMessages,
      ...(messages && { messages }),
    },
    ...more,
  }
}

export const loginFlowJson = ({
  identifier = '',
  choices = [],
  providers = demoProviders,
  ...given
}: Given & { identifier?: string; choices?: Json[]; providers?: Json[] } = {}) =>
  flow(
    'login',
    [
      input('identifier', 'text', identifier),
      input('password', 'password'),
      input('method', 'submit', 'password'),
      ...choices,
      ...providers,
    ],
    given,
    {
      refresh: false,
      requested_aal: 'aal1',
    },
  )

/** Optional parts of the login form: a longer session, and a code by email. */
export const stayChoice = input('stay_signed_in', 'checkbox', false)
export const codeChoice = input('method', 'submit', 'code')

export const loginCodeFlowJson = (given: Given = {}) =>
  flow(
    'login',
    [
      input('identifier', 'hidden', ADA),
      input('code', 'text'),
      input('method', 'submit', 'code'),
      input('resend', 'submit', 'code'),
    ],
    given,
    { active: 'code', state: 'sent_email', refresh: false, requested_aal: 'aal1' },
  )

export const registrationFlowJson = ({ traits = [nameNode], ...given }: Given & { traits?: Json[] } = {}) =>
  flow(
    'registration',
    [
      input('traits.email', 'email'),
      ...traits,
      input('password', 'password'),
      input('method', 'submit', 'password'),
      ...demoProviders,
    ],
    given,
    {},
  )

interface GivenTrait {
  type?: string
  value?: unknown
  required?: true
  options?: { value: unknown }[]
}

export function traitNode(name: string, label: string, { type = 'text', value, ...more }: GivenTrait = {}) {
  const node = input(`traits.${name}`, type, value)
  const attributes = { ...(node.attributes as Json), ...more }
  return { ...node, attributes, meta: { label: text(1070002, label, 'info') } }
}

/** A trait that registration does not ask for. */
const nameNode = traitNode('name', 'Name')

/** The registration of a user whose address the provider did not share. */
export const noEmailFlowJson = ({
  email,
  traits = [nameNode],
  ...given
}: Given & { email?: string; traits?: Json[] } = {}) =>
  flow('registration', [input('traits.email', 'email', email), ...traits, providerNode('github')], given, {
    active: 'oidc',
  })

/** The sign-in that connects GitHub with the account that has the address. */
export const linkingFlowJson = ({ messages = [loginToLink], ...given }: Given = {}) =>
  flow(
    'login',
    [
      input('identifier', 'hidden', ADA),
      input('password', 'password'),
      input('method', 'submit', 'password'),
      providerNode('google', 'provider', 1010018),
    ],
    { messages, ...given },
    { active: 'oidc', refresh: false, requested_aal: 'aal1' },
  )

const loginToLink = {
  ...text(1010016, 'Log in to link.', 'info'),
  context: { duplicate_identifier: ADA, provider: 'GitHub' },
}

export const chooseFlowJson = (given: Given = {}) =>
  flow('verification', [input('email', 'email'), input('method', 'submit', 'code')], given, {
    active: 'code',
  })

export const sentFlowJson = ({ code, ...given }: Given & { code?: string } = {}) =>
  flow(
    'verification',
    [
      input('method', 'hidden', 'code'),
      input('code', 'text', code),
      input('method', 'submit', 'code'),
      input('email', 'submit', ADA),
    ],
    { messages: [text(1080003, 'An email with a code was sent.', 'info')], ...given },
    { active: 'code', state: 'sent_email' },
  )

export const passedFlowJson = (given: Given = {}) =>
  flow(
    'verification',
    [],
    { messages: [text(1080002, 'You verified your address.', 'success')], ...given },
    {
      active: 'code',
      state: 'passed_challenge',
    },
  )

type RecoveryState = 'choose_method' | 'sent_email' | 'passed_challenge'

export const recoveryFlowJson = (state: RecoveryState, given: Given = {}) => {
  const sent = [input('code', 'text'), input('method', 'hidden', 'code'), input('email', 'submit', ADA)]
  const asking = [input('email', 'email'), input('method', 'submit', 'code')]
  return flow('recovery', state === 'choose_method' ? asking : sent, given, { active: 'code', state })
}

export const settingsFlowJson = ({
  name,
  state = 'show_form',
  providers = [],
  traits = [],
  active,
  ...given
}: Given & {
  name?: string
  state?: string
  providers?: Json[]
  traits?: Json[]
  active?: string
} = {}) =>
  flow(
    'settings',
    [
      ...[input('traits.email', 'email', ADA), traitNode('name', 'Name', { value: name }), ...traits].map(
        (node) => ({ ...node, group: 'profile' }),
      ),
      input('password', 'password'),
      ...providers,
    ],
    given,
    {
      state,
      ...(active && { active }),
      identity: { ...sessionJson().identity, traits: { email: ADA, ...(name && { name }) } },
    },
  )

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const bad = (body: unknown): Answer => ({ status: 400, body })
export const refused = (status: number, id?: string, more: Json = {}): Answer => ({
  status,
  body: { error: { code: status, message: 'no', ...(id && { id }) }, ...more },
})

export const showVerification = (id: string) => ({
  action: 'show_verification_ui',
  flow: { id, verifiable_address: ADA, url: `http://localhost:3000/verify?flow=${id}` },
})

/** A token with that life, in seconds; its signature is of no interest here. */
export function tokenFor({
  sid = 'session-1',
  life = 600,
  iat = Math.floor(Date.now() / 1000),
} = {}): string {
  const part = (json: Json) =>
    btoa(JSON.stringify(json)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  return `${part({ alg: 'ES256' })}.${part({ sid, iat, exp: iat + life })}.signature`
}

/** A session that a recovery has started. */
export const recoveredJson = () => sessionJson({ authentication_methods: [{ method: 'code_recovery' }] })

export const sessionJson = (more: Json = {}) => ({
  id: 'session-1',
  active: true,
  identity: {
    id: 'identity-1',
    schema_id: 'default',
    schema_url: 'http://localhost:3000/.ory/schemas/x',
    traits: { email: ADA },
  },
  tokenized: tokenFor(),
  ...more,
})
