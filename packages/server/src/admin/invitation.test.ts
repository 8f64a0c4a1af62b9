import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Browser } from '@ostiary/identity/testing'
import { startTestProduct, type TestProduct } from '../../test/product.ts'
import { repositoryRoot } from '../repository.ts'

const EMAIL = 'ada@example.com'
const password = 'kajak-89-tuba'

test('an invited user chooses a password and logs in while registration is closed', async () => {
  await using product = await startTestProduct({}, {}, undefined, {
    identity: ({ selfservice, ...defaults }) => ({
      ...defaults,
      selfservice: {
        ...selfservice,
        flows: {
          ...selfservice.flows,
          registration: { ...selfservice.flows?.registration, enabled: false },
        },
      },
    }),
  })
  const [create, invite] = callsOfGuide()
  const call = async ({ path, body }: Call) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await product.identity.adminApp.request(`/admin${path}`, { method: 'POST', headers, body })
    return (await answer.json()) as Readonly<Record<'id' | 'recovery_link' | 'recovery_code', string>>
  }
  const { id } = await call(create!)
  const { recovery_link, recovery_code } = await call({
    ...invite!,
    body: invite!.body.replace('ID', id),
  })

  const browser = browserOf(product)
  const form = await browser.get(
    `/self-service/recovery/flows?id=${new URL(recovery_link).searchParams.get('flow')}`,
  )
  const entered = await browser.send('POST', form.body.ui.action, { method: 'code', code: recovery_code }, {})
  assert.match(JSON.stringify(entered.body), /show_settings_ui|settings\?flow=/)
  const saved = await browser.submit(await browser.open('settings'), { method: 'password', password })
  assert.equal(saved.status, 200)

  const other = browserOf(product)
  const done = await other.submit(await other.open('login'), {
    method: 'password',
    identifier: EMAIL,
    password,
  })
  assert.equal(done.status, 200)
  assert.equal((await other.open('registration')).status, 400)
})

function browserOf(product: TestProduct): Browser {
  return new Browser((url, init) => {
    const { pathname, search } = new URL(url, 'http://localhost')
    return product.fetch(`${pathname.replace(/^(?=\/self-service)/, '/.ory')}${search}`, init)
  })
}

interface Call {
  readonly path: string
  readonly body: string
}

function callsOfGuide(): Call[] {
  const guide = readFileSync(join(repositoryRoot, 'docs/operations.md'), 'utf8')
  const [, recipe = ''] = /\n### Invite users\n([\s\S]*?)\n## /.exec(guide) ?? []
  assert.ok(recipe.split('\n').length <= 30)
  const calls = [...recipe.matchAll(/^curl -s \$api(\/\S+) -H '[^']+' -d '([^']+)'/gm)]
  return calls.map(([, path = '', body = '']) => ({ path, body }))
}
