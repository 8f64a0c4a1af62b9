import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { publicUrl } from '../config/base-url.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import { ALGORITHMS } from '../crypto/webauthn.ts'
import { readableAddresses } from '../input/readable-address.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { input, script } from '../ui/nodes.ts'
import type { InputNode, NodeGroup, UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'

export function scriptNodes(ctx: Context, { type }: Pick<Flow, 'type'>): readonly UiNode[] {
  if (type === 'api') return []
  const src = publicUrl(ctx, SCRIPT_PATH)
  return [script('webauthn', 'webauthn_script', { src, integrity, nonce: newId() })]
}

interface Trigger {
  readonly calls: string
  readonly label: UiText
  /** For security keys also the argument of the legacy attribute, as JSON. */
  readonly value?: string
}

export function triggerNode(
  { type }: Pick<Flow, 'type'>,
  group: NodeGroup,
  name: string,
  { calls, label, value }: Trigger,
): InputNode {
  return input(group, name, 'button', {
    value,
    label,
    onclick: type === 'browser' ? `window.${calls}(${value ?? ''})` : undefined,
    onclickTrigger: calls,
  })
}

// Arguments of `navigator.credentials` as JSON.

type RelyingParty = Config['selfservice']['methods']['passkey']['config']['rp']

export type UserVerification = 'required' | 'preferred' | 'discouraged'

interface Creation {
  readonly rp: RelyingParty
  /** `handle` is base64url. */
  readonly user: { readonly handle: string; readonly name: string }
  readonly challenge: string
  /** An authenticator that holds one of them creates no other. */
  readonly excluded: readonly string[] | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly selection: Readonly<Record<string, unknown>> & { readonly userVerification: UserVerification }
  readonly attestation?: string
}

export function creationOptions({
  rp,
  user,
  challenge,
  excluded = [],
  timeout,
  selection,
  attestation,
}: Creation) {
  return {
    publicKey: {
      rp: { name: rp.display_name, id: rp.id },
      user: { name: user.name, displayName: readableAddresses(user.name), id: user.handle },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      timeout,
      ...(excluded.length > 0 && { excludeCredentials: excluded.map(descriptorOf) }),
      authenticatorSelection: selection,
      ...(attestation === undefined || attestation === 'none' ? {} : { attestation }),
    },
  }
}

interface Request {
  readonly rp: RelyingParty
  readonly challenge: string
  /** Milliseconds. */
  readonly timeout: number
  /** Any credential of this site if absent. */
  readonly allowed?: readonly string[] | undefined
  readonly user_verification: UserVerification
}

export function requestOptions({ rp, challenge, timeout, allowed, user_verification }: Request) {
  return {
    publicKey: {
      challenge,
      timeout,
      rpId: rp.id,
      ...(allowed ? { allowCredentials: allowed.map(descriptorOf) } : {}),
      userVerification: user_verification,
    },
  }
}

function descriptorOf(id: string) {
  return { type: 'public-key', id }
}

/** Single-use, in base64url. */
export interface Ceremony {
  readonly challenge: string
  /** For registrations only. Returned at each sign-in. */
  readonly user_handle?: string
  /** Any credential of this site if absent. */
  readonly allowed?: readonly string[]
  /** Keys that the account has. */
  readonly excluded?: readonly string[]
  readonly identity_id?: string
  /** As typed or as stored. */
  readonly identifier?: string
}

export const SCRIPT_PATH = '/.well-known/ory/webauthn.js'

export const webauthnScript = readFileSync(new URL('./webauthn.js', import.meta.url), 'utf8')

export const integrity = `sha512-${createHash('sha512').update(webauthnScript).digest('base64')}`
