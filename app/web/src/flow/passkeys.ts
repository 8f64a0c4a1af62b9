import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

// Loaded when a passkey is used: most visits never need it.
const library = () => import('@simplewebauthn/browser')

/** Asks for a passkey by the browser's dialog. If the user closes it, throws an error that `isCancelled` recognises. */
export async function provePasskey(question: string): Promise<string> {
  const { startAuthentication } = await library()
  return JSON.stringify(await startAuthentication({ optionsJSON: requestOf(question) }))
}

/** Offers passkeys among the suggestions of the email field, until `signal` aborts. */
export async function suggestPasskey(question: string, signal: AbortSignal): Promise<string | undefined> {
  // Without the library, which a page may lack that goes offline, the button is still there.
  const loaded = await library().catch(() => undefined)
  if (!loaded) return undefined
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = loaded
  if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return undefined
  const end = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', end)
  try {
    return JSON.stringify(
      await startAuthentication({ optionsJSON: requestOf(question), useBrowserAutofill: true }),
    )
  } catch {
    // Another request replaced it, or no passkey was chosen: neither is an error.
    return undefined
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/**
 * Creates a passkey by the browser's dialog; `known` are those of the account, hexadecimal as in forms. `name` is the
 * user's name in the browser's list, if the service does not know it yet.
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

/** Whether the user closed the browser's dialog, or it timed out. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** Why no passkey was created, if that is not a failure. */
export function whyNoPasskey(error: unknown): 'cancelled' | 'known-here' | undefined {
  if (isCancelled(error)) return 'cancelled'
  // This device already has one for the account.
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
  // Optional: nothing depends on it.
  await browser.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

interface SignalApi {
  signalUnknownCredential(unknown: { rpId: string; credentialId: string }): Promise<void>
}

/** The credential id in base64url, as in WebAuthn, for the hexadecimal one of a form. */
export function credentialIdOf(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? []
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
