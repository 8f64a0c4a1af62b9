import type { Page } from '@playwright/test'

/** An authenticator inside Chromium, as far as journeys change it. */
export interface Authenticator {
  /** Whether its owner touches it when asked. */
  setPresence(enabled: boolean): Promise<void>
  /** Whether its owner is recognised: by a finger, a face or a PIN. */
  setVerified(isUserVerified: boolean): Promise<void>
  /** How many keys it holds. */
  count(): Promise<number>
}

/** Gives the page's browser a device that keeps passkeys, and whose owner is there and recognised. */
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
