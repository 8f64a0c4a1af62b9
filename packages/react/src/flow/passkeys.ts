import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

// Lazy, because most visits never need it.
const library = () => import('@simplewebauthn/browser')

/** Opens the passkey dialog of the browser. */
export async function authenticateWithPasskey(options: string): Promise<string> {
  const { startAuthentication } = await library()
  return JSON.stringify(await startAuthentication({ optionsJSON: requestOf(options) }))
}

/** Where the browser offers passkeys: `autocomplete="username webauthn"`. */
export function findAutofillField(): HTMLInputElement | null {
  return document.querySelector('input[autocomplete$="webauthn"]')
}

export async function awaitPasskeyAutofill(
  options: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!findAutofillField()) return undefined
  // Offline the library may be missing. The button remains.
  const loaded = await library().catch(() => undefined)
  if (!loaded) return undefined
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = loaded
  if (!(await browserSupportsWebAuthnAutofill()) || signal.aborted) return undefined
  const end = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', end)
  try {
    return JSON.stringify(
      await startAuthentication({ optionsJSON: requestOf(options), useBrowserAutofill: true }),
    )
  } catch {
    // Another request replaced it, or no passkey was chosen.
    return undefined
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/**
 * Creates a passkey. `knownIds` are the passkeys of the account, hexadecimal as in forms. `name` is the user's
 * name if the service does not know it yet.
 */
export async function createPasskey(
  options: string,
  knownIds: readonly string[],
  name?: string,
): Promise<string> {
  const { startRegistration } = await library()
  const { publicKey } = JSON.parse(options) as { publicKey: PublicKeyCredentialCreationOptionsJSON }
  const { authenticatorAttachment: _, ...selection } = publicKey.authenticatorSelection ?? {}
  const optionsJSON = {
    ...publicKey,
    user: { ...publicKey.user, ...(name && { name, displayName: name }) },
    // A phone or a security key is fine too.
    authenticatorSelection: selection,
    excludeCredentials: knownIds.map((id) => ({ id: credentialIdOf(id), type: 'public-key' as const })),
  }
  return JSON.stringify(await startRegistration({ optionsJSON }))
}

export function classifyPasskeyError(error: unknown): 'cancelled' | 'known-here' | undefined {
  const { name } = error instanceof Error ? error : {}
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled'
  // This device already has one for the account.
  return name === 'InvalidStateError' ? 'known-here' : undefined
}

function requestOf(options: string): PublicKeyCredentialRequestOptionsJSON {
  return (JSON.parse(options) as { publicKey: PublicKeyCredentialRequestOptionsJSON }).publicKey
}

/**
 * Stops the browser from offering a deleted passkey. Each passkey has its own user handle, as in Ory Kratos,
 * so `signalAllAcceptedCredentials` does not fit.
 */
export async function signalUnknownPasskey(options: string, credentialId: string): Promise<void> {
  const { publicKey } = JSON.parse(options) as { publicKey: { rp?: { id: string }; rpId?: string } }
  const rpId = publicKey.rp?.id ?? publicKey.rpId ?? location.hostname
  const browser = PublicKeyCredential as Partial<typeof PublicKeyCredential>
  // Optional: nothing depends on it.
  await browser.signalUnknownCredential?.({ rpId, credentialId }).catch(() => undefined)
}

/** Converts the hexadecimal id of a form to base64url, as in WebAuthn. */
export function credentialIdOf(hex: string): string {
  const bytes = hex.match(/../g)?.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))) ?? []
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
