import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

// The library arrives when a passkey is asked for: most visits never need it.
const library = () => import('@simplewebauthn/browser')

/** Asks for a passkey by the browser's dialog. Throws what `isCancelled` knows when the user closes it. */
export async function provePasskey(question: string): Promise<string> {
  const { startAuthentication } = await library()
  return JSON.stringify(await startAuthentication({ optionsJSON: requestOf(question) }))
}

/** Offers passkeys among the suggestions of the email field, until `signal` says that its page is gone. */
export async function suggestPasskey(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await library()
  if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return undefined
  const end = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', end)
  try {
    return JSON.stringify(
      await startAuthentication({ optionsJSON: requestOf(question), useBrowserAutofill: true }),
    )
  } catch {
    // Another question took its place, or no passkey was chosen: both are ordinary.
    return undefined
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/**
 * Makes a passkey by the browser's dialog; `known` are those that the account has, as forms name them. `name` is what
 * the browser lists it by, where the service does not know that yet.
 */
export async function makePasskey(
  question: string,
  known: readonly string[],
  name?: string,
): Promise<string> {
  const { startRegistration } = await library()
  const { publicKey } = JSON.parse(question) as { publicKey: PublicKeyCredentialCreationOptionsJSON }
  const { authenticatorAttachment: _, ...selection } = publicKey.authenticatorSelection ?? {}
  const optionsJSON = {
    ...publicKey,
    user: { ...publicKey.user, ...(name && { name, displayName: name }) },
    // A phone or a security key is as good as this device.
    authenticatorSelection: selection,
    excludeCredentials: known.map((id) => ({ id: credentialIdOf(id), type: 'public-key' as const })),
  }
  return JSON.stringify(await startRegistration({ optionsJSON }))
}

/** Whether the user closed the browser's dialog, or let it run out. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** Why none was made, where that is no failure. */
export function whyNoPasskey(error: unknown): 'cancelled' | 'known-here' | undefined {
  if (isCancelled(error)) return 'cancelled'
  // This device has one of the account already.
  return error instanceof Error && error.name === 'InvalidStateError' ? 'known-here' : undefined
}

function requestOf(question: string): PublicKeyCredentialRequestOptionsJSON {
  return (JSON.parse(question) as { publicKey: PublicKeyCredentialRequestOptionsJSON }).publicKey
}

/**
 * Lets the browser forget a passkey that the account no longer has, so that it is not offered again. Each passkey has a
 * user handle of its own, as in Ory Kratos, so no list of an account's passkeys (`signalAllAcceptedCredentials`) fits.
 */
export async function forgetPasskey(question: string, credentialId: string): Promise<void> {
  const { publicKey } = JSON.parse(question) as { publicKey: { rp?: { id: string }; rpId?: string } }
  const rpId = publicKey.rp?.id ?? publicKey.rpId ?? location.hostname
  const browser = PublicKeyCredential as Partial<SignalApi>
  // The browser's help is welcome, and nothing depends on it.
  await browser.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

interface SignalApi {
  signalUnknownCredential(unknown: { rpId: string; credentialId: string }): Promise<void>
}

/** As WebAuthn names a passkey, base64url, that a form names in hexadecimal. */
export function credentialIdOf(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? []
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
