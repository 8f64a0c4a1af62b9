import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Identity } from '@ostiary/identity'
import { createLinks, insertLink, listLinks, readlist, welcome } from '@ostiary/identity/testing/kit/readlist'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import * as config from '../../../../app.config.ts'
import { signUp, startTestProduct } from '../../test/product.ts'
import { keepLog } from '../../test/quiet-log.ts'
import { runCommand } from '../../test/running-server.ts'
import { readSettings } from '../../test/settings.ts'
import { StartError } from '../http/errors.ts'
import { createProductMetrics } from '../http/metrics.ts'
import { openIdentity, openOwnDatabase, productTools } from '../start/open-identity.ts'
import type { Product } from './product.ts'

const ADA = 'ada@example.com'
const now = () => new Date()

const withEmail: Omit<Product, 'config'> = {
  ...readlist,
  emails: [welcome],
  on: {
    registered: {
      async inTransaction({ identity: { id, traits }, db, mail }) {
        const email = String(traits.email)
        await insertLink(db, id, 'https://example.com/first')
        await mail.send({ to: email, template: welcome, data: { ...welcome.sample, email } })
      },
    },
  },
}

test('a registration stores a row of the product and puts its email into the inbox', async () => {
  await using product = await startTestProduct({}, {}, now, withEmail)
  await signUp(product, ADA)
  assert.deepEqual(await listLinks(product.identity.db), ['https://example.com/first'])
  const { mails } = (await (await product.fetch('/demo/api/mails')).json()) as {
    mails: { recipient: string; template_type: string }[]
  }
  assert.ok(mails.some(({ recipient, template_type }) => recipient === ADA && template_type === 'welcome'))
})

test('the export of an account includes the rows of the product', async () => {
  await using product = await startTestProduct({}, {}, now, readlist)
  const token = await signUp(product, ADA)
  const headers = { 'X-Session-Token': token }
  const whoami = await product.fetch('/.ory/sessions/whoami', { headers })
  const { identity } = (await whoami.json()) as { identity: { id: string } }
  await insertLink(product.identity.db, identity.id, 'https://example.com/')
  const answer = await product.fetch('/api/v1/account/export', { headers })
  const { product: data } = (await answer.json()) as { product: unknown }
  assert.deepEqual(data, { links: ['https://example.com/'] })
})

test('the demo previews every email of the product and of the identity service', async () => {
  await using product = await startTestProduct({}, {}, now, withEmail)
  const { mails } = (await (await product.fetch('/demo/api/emails')).json()) as {
    mails: { id: string; subject: string; html_url: string }[]
  }
  const types = mails.map(({ id }) => id)
  for (const type of ['welcome', 'verification_code_valid', 'security_digest', 'account_deleted'])
    assert.ok(types.includes(type), type)
  for (const { subject, html_url } of mails)
    assert.ok((await (await product.fetch(html_url)).text()).includes(`<title>${subject}</title>`), subject)
  const preview = await product.fetch('/demo/emails/welcome')
  assert.match(await preview.text(), /We keep the links of <span[^>]*>ada@example\.com</)
  assert.match(preview.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal((await product.fetch('/demo/emails/other')).status, 404)
})

test('with an identity service elsewhere, the tables of the product have a separate database', async () => {
  const migrations = { '0001-links': createLinks() }
  const settings = { IDENTITY_URL: 'http://127.0.0.1:9', DATABASE_URL: 'memory:' }
  const log = keepLog()
  const parts = { product: { config, ...readlist, migrations }, log, primary: undefined }
  const opened = await openOwnDatabase(readSettings(settings), parts)
  assert.ok(opened)
  await insertLink(opened.db, 'an account elsewhere', 'https://example.com/')
  assert.deepEqual(await listLinks(opened.db), ['https://example.com/'])
  assert.match(log.lines[0]?.message ?? '', /^IDENTITY_URL is set: the hooks of the product do not run/)
  await opened.stop()
  assert.equal(await openOwnDatabase(readSettings(settings), { ...parts, product: { config } }), undefined)
})

test('is not ready without its separate database', async () => {
  const settings = { IDENTITY_URL: 'http://127.0.0.1:9' }
  const migrations = { '0001-links': createLinks() }
  await using product = await startTestProduct(settings, {}, now, { migrations })
  const status = async () => (await product.fetch('/health/ready')).status
  assert.equal(await status(), 200)
  await product.ownDatabase?.stop()
  assert.equal(await status(), 503)
})

test('sends no emails with an identity service elsewhere, and says so', () => {
  const tools = productTools({ identity: undefined, ownDatabase: undefined }, now)
  const { db, mail } = tools
  assert.throws(() => mail.send, StartError)
  assert.throws(() => db.selectFrom, /only if app\/server\.ts lists migrations/)
})

test('MIGRATE=off refuses a database without the tables of the product', async () => {
  const settings = { DATA_DIR: newFolder() }
  await (await openEmbedded(settings, {})).stop()
  await assert.rejects(
    openEmbedded({ ...settings, MIGRATE: 'off' }, readlist),
    /^StartError: The database lacks 1 migration \(product\/0001-links\)\. Run `npm run migrate` first/,
  )
  await (await openEmbedded(settings, readlist)).stop()
  await (await openEmbedded({ ...settings, MIGRATE: 'off' }, readlist)).stop()
})

test('a backup carries the tables of the product', async () => {
  const [DATA_DIR, elsewhere, file] = [newFolder(), newFolder(), join(newFolder(), 'my-app.backup')]
  const identity = await openEmbedded({ DATA_DIR }, readlist)
  const body = JSON.stringify({ traits: sampleTraits(config, ADA) })
  const headers = { 'Content-Type': 'application/json' }
  const created = await identity.adminApp.request('/admin/identities', { method: 'POST', headers, body })
  const { id } = (await created.json()) as { id: string }
  await insertLink(identity.db, id, 'https://example.com/')
  await identity.stop()
  const BACKUP_IDENTITY = await generateIdentity()
  const BACKUP_RECIPIENT = await identityToRecipient(BACKUP_IDENTITY)
  runCommand(['backup', file], { DATA_DIR, BACKUP_RECIPIENT })
  runCommand(['restore', file], { DATA_DIR: elsewhere, BACKUP_IDENTITY })
  const restored = await openEmbedded({ DATA_DIR: elsewhere, MIGRATE: 'off' }, readlist)
  assert.deepEqual(await listLinks(restored.db, id), ['https://example.com/'])
  await restored.stop()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-product-'))
  after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function openEmbedded(env: NodeJS.ProcessEnv, additions: Omit<Product, 'config'>): Promise<Identity> {
  const parts = { log: keepLog(), metrics: createProductMetrics(), tracing: undefined, now }
  const identity = await openIdentity(readSettings(env), {
    ...parts,
    product: { config, ...additions },
    demo: undefined,
    primary: undefined,
  })
  assert.ok(identity)
  return identity
}
