import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/input/sample.ts'
import { parseConfig } from '../../config/config.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { returnUrlOr } from './return-to.ts'

const HOME = 'http://app.test/home'

const { config } = parseConfig({
  dsn: 'memory',
  dev: true,
  serve: { public: { base_url: 'http://identity.test/' } },
  secrets: { default: ['a-secret-of-the-tests'] },
  selfservice: {
    default_browser_return_url: HOME,
    allowed_return_urls: ['http://app.test/welcome', 'https://*.team.test/in'],
  },
  identity: { schemas: [{ id: 'default', schema: {} }] },
})

const PIECES = [
  ...[
    'http:',
    'https:',
    'HTTP:',
    'javascript:',
    'data:',
    'blob:',
    '/',
    '//',
    '///',
    '\\',
    '/\\',
    '%2f',
    '%5c',
  ],
  ...['app.test', 'team.test', 'a.team.test', 'evil.test', 'identity.test', 'localhost', '[::1]', '127.1'],
  ...[
    '/welcome',
    '/welcome/',
    '/in',
    '/self-service',
    '..',
    '%2e%2e',
    '.',
    '@',
    'user:pass@',
    ':',
    ':80',
    ':8080',
  ],
  ...[
    '?',
    '#',
    ';',
    '&',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '%00',
    '%0d%0a',
    '\u3002',
    '\uff0f',
    '\u2044',
    '\u200b',
  ],
]
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 3, unit: 'binary' }) },
)
const beginning = fc.constantFrom(
  '',
  'http://user:pass@',
  'http://user@app.test/welcome',
  'http://app.test/welcome',
  'https://a.team.test/in',
  '/welcome',
)
const address = fc
  .tuple(beginning, fc.array(piece, { maxLength: 7 }))
  .map(([start, rest]) => start + rest.join(''))

test('SEC-31 rejects generated addresses or redirects to an allowed one', () => {
  let allowed = 0
  const led = fc.property(address, (wanted) => {
    const url = whereTo(wanted)
    if (url === undefined || url === HOME) return
    allowed += 1
    const { protocol, host, pathname, username } = new URL(url, 'http://identity.test/self-service/login')
    const place = `${protocol}//${host}${pathname}`
    assert.match(
      place,
      /^http:\/\/app\.test\/welcome(\/|$)|^https:\/\/([^/]+\.)+team\.test\/in(\/|$)|^http:\/\/identity\.test\/self-service\/(settings|\w+\/browser)$/,
    )
    assert.equal(username, '')
  })
  fc.assert(led, { numRuns: runs(4000, 20_000) })
  assert.ok(allowed > 40, `${allowed} were allowed`)
})

function whereTo(wanted: string): string | undefined {
  try {
    return returnUrlOr({ config }, wanted)
  } catch (error) {
    assert.ok(error instanceof ProtocolError && error.parts.status === 400, String(error))
    return undefined
  }
}
