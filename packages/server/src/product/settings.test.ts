import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import ownProduct from '../../../../app/server.ts'
import { readSettings } from '../settings/env.ts'
import { identityConfig } from '../settings/identity.config.ts'
import { describeSettings } from '../settings/report.ts'
import { pageSettings } from '../start/compose.ts'
import { definePlugin, withPlugins } from './plugins.ts'
import type { Product } from './product.ts'
import { defineSettings, env } from './settings.ts'

const settings = defineSettings({
  MAPS_KEY: env.public.text('key of the maps', { matches: /^mk_/, error: 'must begin with mk_' }),
  PAGE_SIZE: env.number('rows of a page', { default: 20, min: 1 }),
  PAYMENTS_SECRET: env.secret('secret key of the payments'),
  WITH_TIPS: env.flag('shows tips', { default: true }),
})
const product = { ...ownProduct, settings }

test('the values of own settings are typed, with their defaults', () => {
  assert.deepEqual(readSettings(product, {}).own, {
    MAPS_KEY: undefined,
    PAGE_SIZE: 20,
    PAYMENTS_SECRET: undefined,
    WITH_TIPS: true,
  })
  const { own } = readSettings(product, { MAPS_KEY: 'mk_1', PAGE_SIZE: '50', WITH_TIPS: 'off' })
  assert.deepEqual([own.MAPS_KEY, own.PAGE_SIZE, own.WITH_TIPS], ['mk_1', 50, false])
})

test('a wrong value of an own setting refuses the start, with the name and without the value', () => {
  assert.throws(() => readSettings(product, { MAPS_KEY: 'geheim', PAGE_SIZE: '0' }), {
    message: /^MAPS_KEY must begin with mk_\..*\nPAGE_SIZE must be at least 1\./,
  })
  assert.throws(
    () => readSettings(product, { MAPS_KEY: 'geheim' }),
    (error: Error) => !/geheim/.test(error.message),
  )
})

test('production does not start without a required setting, whose default is for development', () => {
  const HARBOUR_URL = env.url('server of the tides', {
    default: 'http://localhost:1',
    requiredInProduction: true,
  })
  const withRequired = { ...ownProduct, settings: { HARBOUR_URL } }
  assert.equal(readSettings(withRequired, {}).own.HARBOUR_URL, 'http://localhost:1')
  const production = { NODE_ENV: 'production' }
  assert.throws(
    () => readSettings(withRequired, production),
    /^HARBOUR_URL is missing\. Set it in production: server of the tides\.$/m,
  )
  assert.throws(
    () => readSettings(withRequired, { ...production, HARBOUR_URL: 'https://tides.example' }),
    (error: Error) => !error.message.includes('HARBOUR_URL'),
  )
})

test('an own setting is read from a file, and a misspelled one is found', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'my-app-settings-')), 'secret')
  writeFileSync(file, 'sk_1\n')
  assert.equal(readSettings(product, { PAYMENTS_SECRET_FILE: file }).own.PAYMENTS_SECRET, 'sk_1')
  assert.match(readSettings(product, { PAYMENT_SECRET: 'x' }).misspellings.join(), /PAYMENTS_SECRET/)
})

test('only public settings reach the pages', () => {
  const { own } = pageSettings(product, readSettings(product, { MAPS_KEY: 'mk_1', PAYMENTS_SECRET: 'sk_1' }))
  assert.deepEqual(own, { MAPS_KEY: 'mk_1' })
})

test('--help explains every setting with its default, first those of the product', () => {
  const help = describeSettings(product)
  assert.match(help, /^ {2}PORT +port of [^\n]+\. Default: `3000`$/m)
  assert.match(help, /^ {2}PUBLIC_URL +public URL [^\n]+\. Default: `http:\/\/localhost:PORT`$/m)
  assert.ok(!help.includes(']('))
  assert.ok(!help.includes('undefined'))
  assert.match(help, /^ {2}MAPS_KEY +key of the maps\n[\s\S]+ {2}SMTP_URL +mail server/)
})

test('own settings may decide the policy and the identity service’s configuration, those of a plugin too', async () => {
  const images = definePlugin({
    name: 'images',
    settings: defineSettings({
      CDN_URL: env.url('of the images', { default: 'http://localhost:8080' }),
      LOGIN_FOR: env.text('how long a login lasts', { default: '12h' }),
    }),
    policy: ({ CDN_URL }) => ({ img: [new URL(CDN_URL).origin] }),
    identity: ({ session, ...defaults }, { LOGIN_FOR }) => ({
      ...defaults,
      session: { ...session, lifespan: LOGIN_FOR },
    }),
  })
  const product = withPlugins<Product>({
    ...ownProduct,
    policy: { img: ['https://own.example'] },
    plugins: [images],
  })
  const hostsOf = (variables: NodeJS.ProcessEnv) => readSettings(product, variables).policy.img
  assert.deepEqual(hostsOf({}), ['http://localhost:8080', 'https://own.example'])
  assert.deepEqual(hostsOf({ CDN_URL: 'https://cdn.example/a' }), [
    'https://cdn.example',
    'https://own.example',
  ])
  assert.throws(() => hostsOf({ CDN_URL: 'cdn' }), /^StartError: CDN_URL/)
  const lifespanOf = (variables: NodeJS.ProcessEnv) =>
    identityConfig(product, readSettings(product, variables), []).session?.lifespan
  assert.deepEqual([lifespanOf({}), lifespanOf({ LOGIN_FOR: '2h' })], ['12h', '2h'])
})
