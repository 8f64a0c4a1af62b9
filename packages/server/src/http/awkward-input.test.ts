import { after, before, test } from 'node:test'
import { fill, PIECES } from '@ostiary/identity/testing/input/awkward'
import { assertCheap } from '@ostiary/identity/testing/input/processor-time'
import { few } from '@ostiary/identity/testing/input/sample'
import { signUp, startTestProduct, type TestProduct } from '../../test/product.ts'

const HEADER_BYTES = 14_000
const QUERY_BYTES = 8_000
const PATHS = [
  ...['/', '/login', '/assets/gone.js', '/.well-known/security.txt', '/demo/inbox'],
  ...['/.ory/sessions/whoami', '/.ory/self-service/login/browser', '/.ory/self-service/errors?id=x'],
  ...['/api/v1/account/session', '/api/v1/account/devices'],
]
const HEADERS = [
  ...['Cookie: x=', 'Cookie: ory_kratos_session=', 'Cookie: user_jwt=', 'Cookie: ', 'X-Session-Token: '],
  ...['Authorization: Bearer ', 'Authorization: ', 'Accept: ', 'Accept-Encoding: ', 'If-None-Match: '],
  ...['Content-Type: ', 'User-Agent: ', 'Origin: http://', 'Referer: ', 'Sec-Fetch-Site: ', 'Host: '],
  ...['X-Forwarded-For: ', 'X-Forwarded-Host: ', 'Forwarded: ', 'Accept-Language: ', 'X-Request-Id: '],
]
const READING_COOKIES = ['/', '/.ory/sessions/whoami', '/api/v1/account/devices']
const QUERIES = ['return_to', 'flow', 'id', 'aal', 'code', 'token', 'state', 'tokenize_as', 'x']

let product: TestProduct
let session: string

before(async () => {
  product = await startTestProduct()
  session = await signUp(product, 'ada@example.com')
  for (const path of PATHS) await send([`GET ${path} HTTP/1.1`])
})
after(() => product[Symbol.asyncDispose]())

for (const piece of few('server', PIECES, 16)) {
  const name = JSON.stringify(piece)
  test(`SEC-39 no header of ${name} blocks the event loop`, async () => {
    for (const header of HEADERS)
      for (const path of header.startsWith('Cookie') ? READING_COOKIES : ['/'])
        await assertAnswered([`GET ${path} HTTP/1.1`, `${header}${fill(piece, HEADER_BYTES)}y`])
  })

  test(`SEC-39 no path or query of ${name} blocks the event loop`, async () => {
    const text = fill(piece.replaceAll(/[ \t]/g, encodeURIComponent), QUERY_BYTES)
    for (const path of PATHS) {
      await assertAnswered([`GET ${path}${text}y HTTP/1.1`])
      for (const query of path.startsWith('/.ory') ? QUERIES : ['x']) {
        const joint = path.includes('?') ? '&' : '?'
        await assertAnswered([`GET ${path}${joint}${query}=${text.slice(0, QUERY_BYTES - 100)}y HTTP/1.1`])
      }
    }
  })
}

async function assertAnswered(lines: readonly string[]): Promise<void> {
  await assertCheap(lines.join(' ').slice(0, 90), () => send(lines))
}

async function send(lines: readonly string[]): Promise<string> {
  const host = lines.some((line) => line.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${product.port}`]
  const token = lines[0]?.includes('/account/devices') ? [`X-Session-Token: ${session}`] : []
  const { everything } = await product.connect(
    `${[...lines, ...token, ...host, 'Connection: close'].join('\r\n')}\r\n\r\n`,
  )
  return await everything
}
