import { z } from 'zod'
import type { Assertion, Attestation } from '../crypto/webauthn.ts'
import { FormError } from '../errors.ts'
import { messages } from '../ui/messages.ts'

const base64url = z.string().regex(/^[A-Za-z0-9_-]+=*$/)

const key = { id: base64url, rawId: base64url, type: z.literal('public-key') }

const attestation = z.object({
  ...key,
  response: z.object({ attestationObject: base64url, clientDataJSON: base64url }),
})

const assertion = z.object({
  ...key,
  response: z.object({
    authenticatorData: base64url,
    clientDataJSON: base64url,
    signature: base64url,
    // Security keys return none.
    userHandle: z.string().nullish(),
  }),
})

/** Parses the result of `navigator.credentials.create` from a form field. Throws `FormError`. */
export function readAttestation(text: string): Attestation {
  return { ...parsed(attestation, text), clientExtensionResults: {} }
}

/** Parses the result of `navigator.credentials.get` from a form field. Throws `FormError`. */
export function readAssertion(text: string): Assertion {
  const { id, rawId, type, response } = parsed(assertion, text)
  const { userHandle, ...rest } = response
  return {
    id,
    rawId,
    type,
    response: { ...rest, ...(userHandle ? { userHandle } : {}) },
    clientExtensionResults: {},
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(json(text))
  if (!result.success) throw new FormError(messages.generic(UNREADABLE))
  return result.data
}

const UNREADABLE = 'The response of this device is invalid. Please try again.'

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
