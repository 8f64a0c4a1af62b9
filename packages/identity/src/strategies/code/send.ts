import { type CodeRefusal, rejectedCode } from '../../codes/check.ts'
import { type ChallengeTarget, type IssuedCode, issueAnotherCode } from '../../codes/issue.ts'
import { pageUrl } from '../../config/base-url.ts'
import type { Context, Replacement, Submission } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { pretendMail, queueMail } from '../../courier/queue.ts'
import { FormError } from '../../errors/errors.ts'
import { canGetCodes, codeAddresses, codeAddressesOf } from '../../identities/factors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { findTypedAddress, findTypedCredential } from '../../identities/subject.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import { claimEffect } from '../../limits/attempt.ts'
import { provenOwner } from '../../limits/keys.ts'
import { deleteCodes } from '../../storage/flows/codes.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input, submit } from '../../ui/nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'

/** The addresses for the codes of a registration, or of the known account. */
export const ownAddresses = storedFlowField<readonly string[]>('code_addresses')

/** Whether a submission asks for another code. Throws `FormError`. */
export function readResend(values: Submission['values']): boolean {
  const resend = readText(values, 'resend')
  if (resend === undefined || resend === 'code') return resend !== undefined
  throw new FormError(messages.generic('This button must send the value code.'), 'resend')
}

/** The hidden method is for the resend button, which submits none. */
export function codeFields(label: UiText, value?: string): UiNode[] {
  return [
    hidden('code', 'method', 'code'),
    input('code', 'code', 'text', { value, required: true, label }),
    submit('code', 'code', messages.continueLabel),
  ]
}

/** Falls back to verifiable addresses, if configured. */
export function codeAddressesOrOthers(ctx: Context, identity: StoredIdentity): string[] {
  const ownAddresses = codeAddressesOf(ctx, identity)
  const schema = ctx.schemas.find(identity.schema_id)
  const { missing_credential_fallback_enabled } = ctx.config.selfservice.methods.code.config
  if (ownAddresses.length > 0 || !schema || !missing_credential_fallback_enabled) return ownAddresses
  return codeAddresses(deriveFromTraits(schema, identity.traits).verifiable.map(({ value }) => value))
}

export interface CodeRecipient {
  readonly target: ChallengeTarget
  readonly limited: { readonly identity_id?: string }
}

/** Returns the stored address, never the typed one (SEC-07). */
export async function findRecipient(ctx: Context, typed: string): Promise<CodeRecipient | undefined> {
  if (!canGetCodes(normaliseAddress(typed))) return undefined
  const knownAddress = await findTypedAddress(ctx.db, 'verification', typed)
  const credential = await findTypedCredential(ctx.db, 'code', typed)
  if (credential) {
    const { identity_id, identifiers } = credential
    const [address = ''] = identifiers
    if (knownAddress?.identity_id !== identity_id) return { target: { address, identity_id }, limited: {} }
    return {
      target: { address, identity_id, address_id: knownAddress.id },
      limited: provenOwner(knownAddress),
    }
  }
  const { missing_credential_fallback_enabled } = ctx.config.selfservice.methods.code.config
  if (!knownAddress || !missing_credential_fallback_enabled) return undefined
  const { id: address_id, identity_id, value } = knownAddress
  return { target: { address: value, address_id, identity_id }, limited: provenOwner(knownAddress) }
}

/** Revokes earlier codes. Sends nothing if no account has the address. */
export async function sendLoginCode(
  ctx: Context,
  flow: Flow<'login'>,
  recipient: ChallengeTarget,
  transient_payload: JsonObject = {},
): Promise<Flow<'login'>> {
  const { identity_id } = recipient
  const mail = async (ctx: Context) => {
    const issued = await issueAnotherCode(ctx, { flow_id: flow.id, ...recipient })
    const url = loginLink(ctx, flow, issued.code)
    return await mailCode(ctx, flow, recipient, { ...issued, url, transient_payload })
  }
  return await transact(ctx, async (ctx) => {
    const claimedFlow = await claimEffect(ctx, flow)
    // Also those sent to another address (SEC-02).
    await deleteCodes(ctx.db, flow.id)
    await (identity_id === undefined ? pretendMail(ctx, mail) : mail(ctx))
    return claimedFlow
  })
}

/** No server or mail scanner receives a fragment (SEC-88). Pages cannot open the flow of an app. */
function loginLink(ctx: Context, { id, type }: Flow<'login'>, code: string): string | undefined {
  if (!ctx.config.selfservice.methods.code.config.login_link_enabled || type === 'api') return undefined
  const url = new URL(pageUrl(ctx, 'login'))
  url.searchParams.set('flow', id)
  url.hash = `code=${code}`
  return url.href
}

/** Respects the email limits (SEC-03). */
export async function sendRegistrationCodes(
  ctx: Context,
  flow: Flow<'registration'>,
  addresses: readonly string[],
  about: { readonly traits: JsonObject; readonly transient_payload: JsonObject },
): Promise<Flow<'registration'>> {
  return await transact(ctx, async (ctx) => {
    const claimedFlow = await claimEffect(ctx, flow)
    await deleteCodes(ctx.db, flow.id)
    for (const address of addresses) {
      const issued = await issueAnotherCode(ctx, { flow_id: flow.id, address })
      await mailCode(ctx, flow, { address }, { ...issued, ...about })
    }
    return claimedFlow
  })
}

interface CodeMail extends IssuedCode {
  readonly url?: string | undefined
  readonly traits?: JsonObject
  readonly transient_payload: JsonObject
}

/** Call inside `transact`. */
export async function mailCode(
  ctx: Context,
  { kind, request_url }: Flow<'login' | 'recovery' | 'registration' | 'verification'>,
  { address, identity_id }: ChallengeTarget,
  { code, expires_at, url, ...about }: CodeMail,
): Promise<string | undefined> {
  const { lifespan } = ctx.config.selfservice.methods.code.config
  const expires_in_minutes = Math.ceil(lifespan / 60_000)
  return await queueMail(ctx, {
    template_type: `${kind}_code_valid`,
    recipient: address,
    identity_id,
    data: { code, expires_in_minutes, ...(url !== undefined && { url }) },
    cause: { request_url, identity_id, ...about },
    expires_at,
  })
}

/** Expired codes replace the flow. */
export function refusedCode(
  check: CodeRefusal,
  { wrong, expired }: { readonly wrong: UiText; readonly expired: (expired_at: string) => UiText },
): Replacement {
  switch (check.kind) {
    case 'expired':
      return { kind: 'replace', message: expired(check.expires_at), expired_at: check.expires_at }
    case 'used':
    case 'too-often':
      throw new FormError(rejectedCode[check.kind])
    case 'wrong':
      throw new FormError(wrong)
  }
}
