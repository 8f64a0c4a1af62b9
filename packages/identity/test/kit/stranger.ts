import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, tokenOf, verificationIn } from '../../src/testing/answers.ts'
import type { FlowKind } from '../../src/wire/wire.ts'
import type { TestIdentity } from './kit.ts'

export interface Stranger {
  readonly seen: readonly Answer[]
  signIn(email: string): Promise<unknown>
  open(kind: FlowKind, query?: string): Promise<FlowAnswer>
  /** The form that the response contains or leads to. */
  submit(form: FlowAnswer, values: object): Promise<FlowAnswer>
}

export const STRANGERS: Record<string, (identity: TestIdentity) => Stranger> = {
  'a page': (identity) => {
    const browser = identity.browser()
    const seen: Answer[] = []
    const follow = async ({ location = '' }: Answer): Promise<FlowAnswer> => {
      const { pathname, searchParams } = new URL(location)
      const kind = KINDS[pathname]
      assert.ok(kind, `a page is led to a form, not to ${location}`)
      return keep(seen, await browser.get(`/self-service/${kind}/flows?id=${searchParams.get('flow')}`))
    }
    return {
      seen,
      signIn: (email) => browser.signIn(email),
      open: async (kind, query = '') =>
        follow(keep(seen, await browser.navigate(`/self-service/${kind}/browser${query}`))),
      submit: async (form, values) => {
        const fields = { csrf_token: String(tokenOf(form)), ...flat(values) }
        return await follow(keep(seen, await browser.post(form.body.ui.action, fields)))
      },
    }
  },
  'a script': (identity) => withJson(identity.browser()),
  'an app': (identity) => withJson(identity.app()),
}

export function shapeOf({ status, headers, body }: Answer, email: string): unknown {
  const text = masked(typeof body === 'string' ? body : JSON.stringify(body), email)
  return {
    status,
    headers: [...headers].map(([name, value]) =>
      name === 'set-cookie' ? [name, value.replace(/=[^;]*/, '')] : [name, masked(value, email)],
    ),
    length: text.length,
    text,
  }
}

const KINDS: Record<string, FlowKind> = {
  '/login': 'login',
  '/register': 'registration',
  '/recovery': 'recovery',
  '/verify': 'verification',
  '/settings': 'settings',
}

function withJson(client: ReturnType<TestIdentity['browser']> | ReturnType<TestIdentity['app']>): Stranger {
  const seen: Answer[] = []
  return {
    seen,
    signIn: (email) => client.signIn(email),
    open: async (kind, query) => keep(seen, await client.open(kind, query)),
    async submit(form, values) {
      const answer = keep(seen, await client.submit(form, values))
      const next = answer.status === 200 ? verificationIn(answer)?.id : undefined
      if (next === undefined) return answer
      const path = `/self-service/verification/flows?id=${next}`
      return keep(seen, await client.send('GET', path, undefined, {}))
    },
  }
}

function keep(seen: Answer[], answer: Answer): FlowAnswer {
  seen.push(answer)
  return answer as FlowAnswer
}

function flat(values: object, path = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(values).map(([name, value]) =>
      typeof value === 'object' ? flat(value, `${path}${name}.`) : { [path + name]: String(value) },
    ),
  )
}

function masked(text: string, email: string): string {
  return text
    .replaceAll(email, '<address>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"name":"csrf_token","type":"hidden","value":"[^"]{88}"/g, '<token>')
}
