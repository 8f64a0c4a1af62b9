import { afterEach, describe, expect, test, vi } from 'vitest'
import { tokenFor } from '../testing/flows.ts'
import { clearUserJwt, readClaims, readUserJwt, writeUserJwt } from './user-jwt-cookie.ts'

const shared = { cookieDomain: 'example.test' }

/** A page of the app and its `document.cookie`. The browser keeps what `keeps` accepts. */
function openAt(href: string, keeps: (cookie: string) => boolean = () => true) {
  const written: string[] = []
  let jar = ''
  vi.stubGlobal('location', new URL(href))
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => jar,
    set: (cookie: string) => {
      written.push(cookie)
      if (keeps(cookie)) jar = cookie.split('; ')[0] ?? ''
    },
  })
  return written
}

afterEach(() => {
  Reflect.deleteProperty(document, 'cookie')
})

describe('user_jwt', () => {
  test('lives on the parent domain, for the whole path, Lax and Secure, as long as its token', () => {
    const written = openAt('https://app.example.test/')
    const token = tokenFor({ iat: 1_800_000_000, life: 600 })
    writeUserJwt(token, shared)
    expect(written.at(-1)).toBe(
      `user_jwt=${token}; Path=/; SameSite=Lax; Max-Age=600; Domain=example.test; Secure`,
    )
  })

  test('replaces a cookie of the same name on this host', () => {
    const written = openAt('https://app.example.test/')
    writeUserJwt(tokenFor(), shared)
    expect(written[0]).toBe('user_jwt=; Path=/; SameSite=Lax; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Secure')
  })

  test.each(['http://localhost:3000/', 'http://127.0.0.1:3000/', 'http://[::1]:3000/', 'https://192.0.2.7/'])(
    'has no Domain at %s',
    (href) => {
      const written = openAt(href)
      writeUserJwt(tokenFor(), shared)
      expect(written.join()).not.toContain('Domain=')
      expect(written.at(-1)).toContain('Secure')
    },
  )

  test('is written again without Secure where the browser refuses it over http on loopback', () => {
    const written = openAt('http://localhost:3000/', (cookie) => !cookie.includes('Secure'))
    const token = tokenFor()
    writeUserJwt(token, shared)
    expect(written).toHaveLength(2)
    expect(written.at(-1)).not.toContain('Secure')
    expect(readUserJwt()).toBe(token)
  })

  test('stays Secure or is not written at all elsewhere', () => {
    const written = openAt('http://app.example.test/', (cookie) => !cookie.includes('Secure'))
    writeUserJwt(tokenFor(), shared)
    expect(written.every((cookie) => cookie.includes('Secure'))).toBe(true)
  })

  test('is cleared by an expiry in the past, on the parent domain and on this host', () => {
    const written = openAt('https://app.example.test/')
    clearUserJwt(shared)
    expect(written.every((cookie) => cookie.includes('Expires=Thu, 01 Jan 1970 00:00:00 GMT'))).toBe(true)
    expect(written.some((cookie) => cookie.includes('Domain=example.test'))).toBe(true)
    expect(written.some((cookie) => !cookie.includes('Domain='))).toBe(true)
  })
})

test.each([undefined, '', 'not a token', 'a.b.c'])(
  'a token that cannot be read (%j) has no claims',
  (token) => {
    expect(readClaims(token)).toEqual({})
  },
)
