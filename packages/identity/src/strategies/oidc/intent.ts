import type { Submission } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { readObject, readText } from '../../identities/schema/decode.ts'
import type { JsonObject } from '../../wire/identity.ts'

type Values = Submission['values']

export interface Intent {
  readonly provider: string
  readonly id_token: string | undefined
  readonly id_token_nonce: string | undefined
  readonly upstream: Readonly<Record<string, string>>
  readonly transient_payload: JsonObject
  readonly traits: JsonObject
}

/** `method` may be absent. */
export function namesProvider(values: Values, field = 'provider'): boolean {
  const method = readText(values, 'method')
  return readText(values, field) !== undefined && (method === undefined || method.toLowerCase() === 'oidc')
}

/** In characters. They are stored until the user returns, and submitting is free for clients (FLT-23). */
const MAX_CARRIED = 16_384

/** Throws `ProtocolError` (413) if traits and payload are too long to be stored. */
export function readIntent(values: Values, provider: string, traits: JsonObject): Intent {
  const transient_payload = readObject(values, 'transient_payload')
  if (JSON.stringify([traits, transient_payload]).length > MAX_CARRIED) {
    const reason = `With a provider, traits and transient_payload may have at most ${MAX_CARRIED} characters together.`
    throw new ProtocolError({ status: 413, reason })
  }
  return {
    provider,
    id_token: readText(values, 'id_token'),
    id_token_nonce: readText(values, 'id_token_nonce'),
    upstream: readUpstream(values),
    transient_payload,
    traits,
  }
}

/** Other parameters could manipulate the request (SEC-30). */
const ALLOWED = ['hd', 'login_hint', 'prompt']

function readUpstream(values: Values): Record<string, string> {
  const upstreamParameters = readObject(values, 'upstream_parameters')
  const accepted = ALLOWED.flatMap((name) => {
    const value = upstreamParameters[name] ?? readText(values, `upstream_parameters.${name}`)
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries(accepted)
}
