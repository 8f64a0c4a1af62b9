import assert from 'node:assert/strict'
import { test } from 'node:test'
import product from '../../../../app/server.ts'
import { startTestProduct } from '../../test/product.ts'
import { findProductProblems } from './product-problems.ts'
import { env } from './settings.ts'

const HERE = { identity_url: undefined, production: false, policy: {} }

test('names what is wrong in app.config.ts', () => {
  assert.deepEqual([...findProductProblems(product, HERE, ['PORT'])], [])
  const config = {
    ...product.config,
    theme: { accent: 'greenish', darkAccent: 'night' },
    password: { minLength: 5 },
    traits: {
      birthday: { type: 'string', format: 'day' },
      pager: { type: 'string', format: 'no-validate' },
    },
    requiredTraits: ['birthday', 'nickname'],
  }
  const problems = findProductProblems({ config }, HERE, [])
  const [accent, darkAccent, length, nickname, birthday, ...others] = problems
  assert.match(accent ?? '', /theme\.accent .* "greenish"/)
  assert.match(darkAccent ?? '', /theme\.darkAccent .* "night"/)
  assert.match(length ?? '', /password\.minLength .* is 5\. Set it/)
  assert.match(nickname ?? '', /requiredTraits .* "nickname"/)
  assert.match(birthday ?? '', /traits\.birthday .* "day"/)
  assert.deepEqual(others, [])
})

test('says what to set where app.config.ts is that of an earlier version', () => {
  const { theme: _, password: __, ...config } = product.config
  const [theme, password] = findProductProblems({ config: config as typeof product.config }, HERE, [])
  assert.match(theme ?? '', /^theme\.accent in app\.config\.ts is undefined\. Set it to a CSS color/)
  assert.match(
    password ?? '',
    /^password\.minLength in app\.config\.ts is undefined\. Set it to a whole number/,
  )
})

test('refuses a setting whose name is taken or is not the name of a variable', () => {
  const settings = {
    PORT: env.text('another port'),
    mapsKey: env.text('a key'),
    KEY_FILE: env.secret('a key'),
  }
  const problems = [...findProductProblems({ config: product.config, settings }, HERE, ['PORT'])]
  assert.match(problems[0] ?? '', /^The app has a setting PORT already/)
  assert.match(problems[1] ?? '', /^The setting mapsKey /)
  assert.match(problems[2] ?? '', /^The setting KEY_FILE /)
  assert.equal(problems.length, 3)
})

test('names a migration without a function up', () => {
  const migrations = { '0001-links': ['create table links (id text)'] as never }
  const problems = [...findProductProblems({ config: product.config, migrations }, HERE, [])]
  assert.match(problems.join(), /^The migration 0001-links in app\/server\.ts has no function up\. Write/)
})

const nothing = () => {}
const later = async () => ({})

for (const [part, advice] of [
  ['api', 'a Hono app with the routes'],
  ['identity', 'the changed defaults'],
  ['policy', "lists of hosts, such as { img: ['https://cdn.example.com'] }"],
] as const)
  test(`names what ${part} has to return`, async () => {
    const start = (option: unknown) => startTestProduct({}, {}, undefined, { [part]: option })
    const name = `${part} in app/server.ts returns`
    await assert.rejects(start(nothing), {
      name: 'StartError',
      message: `${name} undefined. Return ${advice}.`,
    })
    await assert.rejects(start(later), { message: `${name} a promise. Return ${advice}.` })
  })
