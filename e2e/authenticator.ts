import type { Page } from '@playwright/test'

/** Chromium's virtual authenticator. */
export interface Authenticator {
  /** Whether the user touches it when asked. */
  setPresence(enabled: boolean): Promise<void>
  /** Whether user verification succeeds: a fingerprint, a face or a PIN. */
  setVerified(isUserVerified: boolean): Promise<void>
  /** How many passkeys it holds. */
  count(): Promise<number>
}

/** Adds an authenticator to the page's browser, with a user who is present and verified. */
export async function addAuthenticator(
  page: Page,
  kind: { readonly transport?: 'internal' | 'usb'; readonly hasUserVerification?: boolean } = {},
): Promise<Authenticator> {
  const chromium = await page.context().newCDPSession(page)
  await chromium.send('WebAuthn.enable')
  const { transport = 'internal', hasUserVerification = true } = kind
  const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification,
      isUserVerified: hasUserVerification,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async setPresence(enabled) {
      await chromium.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    async setVerified(isUserVerified) {
      await chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async count() {
      const { credentials } = await chromium.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
  }
}
