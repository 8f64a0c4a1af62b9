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

// Also runs in the browser, so this file imports nothing.
export function deviceName(userAgent = ''): DeviceName {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  const name = browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'An app')
  return { name, kind: browser || system ? kindOf(userAgent) : 'app' }
}

function kindOf(userAgent: string): DeviceName['kind'] {
  if (/iPad|Tablet/.test(userAgent)) return 'tablet'
  return /iPhone|Android|Mobile/.test(userAgent) ? 'phone' : 'computer'
}

function nameIn(names: Signs, text: string): string | undefined {
  return names.find(([sign]) => sign.test(text))?.[1]
}
