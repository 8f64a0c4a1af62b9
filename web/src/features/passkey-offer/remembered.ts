const KEY = 'passkey-offer'

/** Whether an account may be asked in this browser, which has to know passkeys. */
export function isOffered(identityId: string): boolean {
  try {
    return typeof PublicKeyCredential === 'function' && localStorage.getItem(KEY) !== identityId
  } catch {
    // Without a memory the offer would come back with each visit.
    return false
  }
}

export function neverAgain(identityId: string): void {
  try {
    localStorage.setItem(KEY, identityId)
  } catch {
    // Then it was not offered either.
  }
}
