import { z } from 'zod'
import type { Assertion, Attestation } from '../crypto/webauthn.ts'
import { FormError } from '../errors/errors.ts'
import { jsonOrText } from '../input/plain-text.ts'
import { messages } from '../ui/messages.ts'

/** Genuine devices send a few kilobytes (SEC-65). */
const base64url = (bytes: number) =>
  z
    .string()
    .max(Math.ceil((bytes * 4) / 3) + 2)
    .regex(/^[A-Za-z0-9_-]+=*$/)

/** WebAuthn Level 3, sections 4 (credential id) and 5.4.3 (user handle). */
const ID_BYTES = 1023
const HANDLE_BYTES = 64

const key = { id: base64url(ID_BYTES), rawId: base64url(ID_BYTES), type: z.literal('public-key') }
const clientDataJSON = base64url(8192)

const attestation = z.object({
  ...key,
  // Includes the certificate chain.
  response: z.object({ attestationObject: base64url(32_768), clientDataJSON }),
})

const assertion = z.object({
  ...key,
  response: z.object({
    authenticatorData: base64url(4096),
    clientDataJSON,
    signature: base64url(1024),
    // Security keys return none.
    userHandle: z
      .union([base64url(HANDLE_BYTES), z.literal('')])
      .nullish()
      .transform((handle) => handle || undefined),
  }),
})

export function readAttestation(text: string): Attestation {
  return { ...parseJson(attestation, text), clientExtensionResults: {} }
}

export function readAssertion(text: string): Assertion {
  return { ...parseJson(assertion, text), clientExtensionResults: {} }
}

function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const result = schema.safeParse(jsonOrText(text))
  if (result.success) return result.data
  throw new FormError(messages.generic('The response of this device is invalid. Please try again.'))
}
