import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'

/** Chromium's. */
export interface Authenticator {
  /** Touched when asked. */
  setPresence(enabled: boolean): Promise<void>
  /** A fingerprint, a face or a PIN. */
  setVerified(isUserVerified: boolean): Promise<void>
  count(): Promise<number>
}

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

/** RFC 6238; `step` counts from now. Codes work once and one step early or late: use 0 first, then 1. */
export function oneTimePassword(key: string, step = 0): string {
  const bits = [...key.replace(/[\s=]/g, '')]
    .map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000
