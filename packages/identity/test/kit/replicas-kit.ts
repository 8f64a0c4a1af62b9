import { answerOf, JSON_BODY } from '../../src/testing/answers.ts'
import { App, Browser, type Send } from '../../src/testing/clients.ts'
import { makeUser, newestCode } from '../../src/testing/test-identity.ts'
import { newDsn } from './databases.ts'
import { createTestIdentity, type Merge, PUBLIC, standard, type TestIdentity } from './kit.ts'
import { configFile, start } from './processes-kit.ts'

export interface Pair {
  readonly dsn: string
  readonly first: Pick<TestIdentity, 'user' | 'code' | 'admin' | 'now' | 'advance'>
  /** Of both. */
  logged(): string[]
  browser(): Browser
  app(): App
}

export async function replicas(overrides: object = {}) {
  const dsn = await newDsn({ shared: true })
  const first = await createTestIdentity({ ...overrides, dsn })
  const second = await createTestIdentity({ ...overrides, dsn }, { now: first.now })
  return {
    dsn,
    first,
    second,
    logged: () => [...first.logged, ...second.logged],
    ...balanced([first.send, second.send]),
  }
}

export async function processes(overrides: Merge = {}): Promise<Pair> {
  const address = { host: '127.0.0.1', port: 0 }
  const { selfservice } = standard(overrides)
  const serve = { public: { ...address, base_url: `${PUBLIC}/`, max_delay: '0s' }, admin: address }
  const dsn = await newDsn({ shared: true })
  const config = configFile(dsn, { serve, selfservice, log: { level: 'info', format: 'json' } })
  const [one, other] = await Promise.all([start(config), start(config)])
  const admin: TestIdentity['admin'] = async (method, path, body) => {
    const init = body === undefined ? {} : { headers: JSON_BODY, body: JSON.stringify(body) }
    return await answerOf(await fetch(one.admin_url + path, { method, ...init }))
  }
  let ahead = 0
  const first: Pair['first'] = {
    admin,
    user: (email) => makeUser({ admin }, email),
    async code(email) {
      const query = new URLSearchParams({ recipient: email })
      return newestCode(email, (await admin('GET', `/admin/courier/messages?${query}`)).body)
    },
    now: () => new Date(Date.now() + ahead),
    advance(milliseconds) {
      ahead += milliseconds
    },
  }
  return {
    dsn,
    first,
    logged: () => [...one.logged, ...other.logged],
    ...balanced([one, other].map(({ url }) => requestTo(url))),
  }
}

function balanced(requests: readonly Send[]) {
  let turn = 0
  const send: Send = (...args) => (requests[turn++ % requests.length] as Send)(...args)
  return { browser: () => new Browser(send), app: () => new App(send) }
}

function requestTo(url: string): Send {
  return (address, init) => fetch(new URL(address.replace(PUBLIC, ''), url), { ...init, redirect: 'manual' })
}
