import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import ownProduct from '../../../../app/server.ts'
import { startTestProduct } from '../../test/product.ts'
import { keepLog } from '../../test/quiet-log.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { readSettings } from '../../test/settings.ts'
import { createProductMetrics } from '../http/metrics.ts'
import { findStartProblems } from '../settings/start-problems.ts'
import { openIdentity } from '../start/open-identity.ts'
import type { Product } from './product.ts'

type Additions = Omit<Product, 'config'>

const HOUR_MS = 3_600_000
const now = () => new Date()

const startsSession: Additions = {
  identity: ({ session, selfservice, ...defaults }) => ({
    ...defaults,
    session: { ...session, lifespan: '12h' },
    selfservice: {
      ...selfservice,
      flows: {
        ...selfservice.flows,
        login: { ...selfservice.flows?.login, after: {} },
        registration: {
          ...selfservice.flows?.registration,
          after: { password: { hooks: [{ hook: 'session' }, { hook: 'show_verification_ui' }] } },
        },
      },
    },
  }),
}

test('a product changes password length, session lifespan and order of sign-up', async () => {
  assertRecipe('Change passwords, sessions or sign-up', import.meta.filename)
  await using product = await startTestProduct({}, {}, now, {
    config: { ...ownProduct.config, password: { minLength: 10 } },
    ...startsSession,
  })
  const refused = await register(product.fetch, 'kajak-89')
  assert.match(JSON.stringify(refused), /at least 10 characters/)
  const { session, session_token } = await register(product.fetch, 'kajak-89-tuba')
  assert.equal(typeof session_token, 'string')
  assert.equal(Date.parse(session.expires_at) - Date.parse(session.issued_at), 12 * HOUR_MS)
})

test('a product changes the subject of an account’s email', async () => {
  assertRecipe('Change the text of an account’s email', import.meta.filename)
  const ownSubject: Additions = {
    letters: {
      verification_code_valid: (letter, { code }) => ({ ...letter, subject: `${code} opens the door` }),
    },
  }
  await using product = await startTestProduct({}, {}, now, ownSubject)
  await register(product.fetch, 'kajak-89-tuba')
  const [mail] = await product.identity.listMails(1)
  assert.match(mail?.subject ?? '', /^\d{6} opens the door$/)
})

test('emails have the language, the color and the font of the product', async () => {
  const theme = { accent: 'rebeccapurple', font: 'Brand, sans-serif' }
  const config = { ...ownProduct.config, language: 'de', theme }
  await using product = await startTestProduct({}, {}, now, { config })
  await register(product.fetch, 'kajak-89-tuba')
  const [mail] = await product.identity.listMails(1)
  assert.match(mail?.html ?? '', /<html lang="de">.* Brand, sans-serif,.*background:#66339a;/s)
})

test('a start refuses an unknown language and a font that would end its declaration', async () => {
  const theme = { ...ownProduct.config.theme, font: 'Brand; color: red' }
  const product = { ...ownProduct, config: { ...ownProduct.config, language: 'plain english', theme } }
  const secrets = [randomBytes(32).toString('base64url')]
  const problems = await findStartProblems(product, readSettings({ DATABASE_URL: 'memory:' }), secrets)
  assert.match(problems.join('\n'), /courier.language: expected a language tag/)
  assert.match(problems.join('\n'), /^theme\.font in app\.config\.ts: expected CSS font families/m)
})

test('a name has no control characters and no turned direction', async () => {
  await using product = await startTestProduct()
  for (const name of ['Ada\0', 'Ada\r\nBcc: eve@example.com', 'Ada \u202egpj.exe', 'Ada\u2067'])
    assert.match(JSON.stringify(await register(product.fetch, 'kajak-89-tuba', { name })), /4000004/, name)
  const names = { name: 'آدا\u200cلاولیس 🦊' }
  assert.doesNotMatch(JSON.stringify(await register(product.fetch, 'kajak-89-tuba', names)), /4000004/)
})

interface Registered {
  readonly session: { readonly issued_at: string; readonly expires_at: string }
  readonly session_token: string
}

async function register(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
  password: string,
  names: { readonly name?: string } = {},
): Promise<Registered> {
  const traits = { ...sampleTraits(ownProduct.config, 'ada@example.com'), ...names }
  const { id } = (await (await fetch('/.ory/self-service/registration/api')).json()) as { id: string }
  const answer = await fetch(`/.ory/self-service/registration?flow=${id}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ method: 'password', password, traits }),
  })
  return (await answer.json()) as Registered
}

test('start and doctor refuse a wrong value of the product, and name its place', async () => {
  const product: Product = {
    ...ownProduct,
    identity: (defaults) => ({ ...defaults, session: { ...defaults.session, lifespan: 'long' } }),
  }
  const settings = readSettings({ DATABASE_URL: 'memory:' })
  const [problem, ...others] = await findStartProblems(product, settings, [
    randomBytes(32).toString('base64url'),
  ])
  assert.match(problem ?? '', /^identity in app\/server\.ts: session\.lifespan: .+\.$/)
  assert.deepEqual(others, [])
  const parts = { log: keepLog(), metrics: createProductMetrics(), tracing: undefined, now }
  await assert.rejects(openIdentity(settings, { ...parts, product, demo: undefined, primary: undefined }), {
    name: 'StartError',
    message: problem ?? '',
  })
})

test('other problems still name the variable', async () => {
  const product = { ...ownProduct, ...startsSession }
  const settings = readSettings({ LIMITS: '{"signIns":1}' })
  const problems = await findStartProblems(product, settings, [randomBytes(32).toString('base64url')])
  assert.match(problems.join(), /^LIMITS: /)
})
