import { isLoopback } from '../config/service.ts'

type Signs = readonly (readonly [RegExp, string])[]

/** The first match wins, because many browsers also claim to be others. */
const browsers: Signs = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: Signs = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

export interface DeviceName {
  readonly name: string
  readonly kind: 'phone' | 'tablet' | 'computer' | 'app'
}

export function deviceName(userAgent = ''): DeviceName {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  const name = browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'An app')
  return { name, kind: browser || system ? kindOf(userAgent) : 'app' }
}

/** Removes the protocol's port and the brackets of IPv6. Undefined for loopback, which identifies no device. */
export function addressOf(text: string | undefined): string | undefined {
  const [, v4, v6] = /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([\da-f:.]+)\](?::\d+)?$/i.exec(text ?? '') ?? []
  const address = v4 ?? v6 ?? (text && /^[\da-f:]+$/i.test(text) ? text : undefined)
  return address === undefined || isLoopback(address) ? undefined : address
}

function kindOf(userAgent: string): DeviceName['kind'] {
  if (/iPad|Tablet/.test(userAgent)) return 'tablet'
  return /iPhone|Android|Mobile/.test(userAgent) ? 'phone' : 'computer'
}

function nameIn(names: Signs, text: string): string | undefined {
  return names.find(([sign]) => sign.test(text))?.[1]
}
