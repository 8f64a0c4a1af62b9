import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../test/settings.ts'

test('every spelling of a URL is the one that browsers send', () => {
  for (const [written, url] of [
    ['https://app.example:443', 'https://app.example'],
    ['HTTPS://App.Example/', 'https://app.example'],
    ['https://exämple.com', 'https://xn--exmple-cua.com'],
    ['https://EXÄMPLE.com:8443', 'https://xn--exmple-cua.com:8443'],
    ['http://localhost:80', 'http://localhost'],
    ['http://[0:0::1]:3000', 'http://[::1]:3000'],
  ] as const) {
    const names = ['PUBLIC_URL', 'CODE_HOST_URL', 'CORS_ORIGINS', 'GITLAB_URL']
    const client = { GITLAB_CLIENT_ID: 'id', GITLAB_CLIENT_SECRET: 'secret', SMTP_URL: 'off' }
    const given = Object.fromEntries(names.map((name) => [name, written]))
    const settings = readSettings({ ...given, ...client })
    const { public_url, own, cors_origins, providers } = settings
    assert.deepEqual(
      [public_url, own.CODE_HOST_URL, ...cors_origins, providers[0]?.issuer_url],
      [url, url, url, url],
    )
    assert.equal(readSettings({ IDENTITY_URL: `${written.replace(/\/$/, '')}/x` }).identity_url, `${url}/x`)
  }
  assert.equal(readSettings({ PORT: '80' }).public_url, 'http://localhost')
})

test('a domain and an address have the spelling of DNS', () => {
  const { cookie_domain, mail_from } = readSettings({
    PUBLIC_URL: 'https://app.exämple.com',
    COOKIE_DOMAIN: 'EXÄMPLE.com',
    MAIL_FROM: 'No-Reply@exämple.com',
    SMTP_URL: 'off',
  })
  assert.deepEqual([cookie_domain, mail_from], ['xn--exmple-cua.com', 'No-Reply@xn--exmple-cua.com'])
})
