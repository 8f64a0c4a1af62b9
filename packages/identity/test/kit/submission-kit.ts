import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../src/testing/authenticator.ts'
import { App, type Browser } from '../../src/testing/clients.ts'
import type { FlowKind, Method } from '../../src/wire/flow.ts'
import { ADA } from './factors.ts'
import { type Merge, merge, type TestIdentity, VERIFIED_ONLY } from './kit.ts'
import { configWith } from './sign-in-methods.ts'

export const NEW = 'new@example.com'
export const WAITING = { ...VERIFIED_ONLY, security: { account_enumeration: { mitigate: true } } }
export const LINKS = {
  selfservice: {
    methods: { link: { enabled: true } },
    flows: { recovery: { use: 'link' }, verification: { use: 'link' } },
  },
}

export type Client = Browser | App

/** A form, and what a client is about to submit to it. */
export interface Ready {
  readonly flow: FlowAnswer
  readonly values: object
}

export interface Submission {
  readonly kind: FlowKind
  readonly method: Method
  readonly config?: Merge
  /** Apps cannot send it, or their code proves no sender. */
  readonly inBrowsers?: true
  /** An app's form has no token, so its next request is a new one. */
  readonly asksForCode?: true
  prepare(identity: TestIdentity, client: Client): Promise<Ready>
}

export async function signIn(identity: TestIdentity, client: Client): Promise<void> {
  const users = (await identity.admin('GET', '/admin/identities')).body
  if (users.length === 0) await identity.user(ADA)
  assert.equal((await client.signIn(ADA)).status, 200)
}

export function registering(values: object): Submission['prepare'] {
  return async (identity, client) => {
    await identity.user(ADA)
    return { flow: await client.open('registration'), values: { traits: { email: NEW }, ...values } }
  }
}

export function asking(kind: FlowKind, values: object): Submission['prepare'] {
  return async (identity, client) => {
    await identity.user(ADA)
    return { flow: await client.open(kind), values }
  }
}

/** Asks for a code, and enters it. */
export function entering(kind: FlowKind, values: object, address = ADA): Submission['prepare'] {
  return async (identity, client) => {
    await identity.user(ADA)
    const flow = await client.submit(await client.open(kind), values)
    const { email: _, ...others } = values as { email?: string }
    return { flow, values: { ...others, code: await identity.code(address) } }
  }
}

export function changing(
  values: object | ((identity: TestIdentity, flow: FlowAnswer) => object),
): Submission['prepare'] {
  return async (identity, client) => {
    await signIn(identity, client)
    const flow = await client.open('settings')
    return { flow, values: typeof values === 'function' ? values(identity, flow) : values }
  }
}

type SetUp<Result> = (identity: TestIdentity, owner: Client) => Promise<Result>

/** In another client than the one that uses what was set up. */
export function withOwner<Result>(
  setUp: SetUp<Result>,
  use: (identity: TestIdentity, client: Client, result: Result) => Promise<Ready>,
): Submission['prepare'] {
  return async (identity, client) => {
    const owner = client instanceof App ? identity.app() : identity.browser()
    await signIn(identity, owner)
    return await use(identity, client, await setUp(identity, owner))
  }
}

export function secondFactor<Result>(
  setUp: SetUp<Result>,
  values: (identity: TestIdentity, result: Result, flow: FlowAnswer) => object,
): Submission['prepare'] {
  return withOwner(setUp, async (identity, client, result) => {
    await client.signIn(ADA)
    const flow = await client.open('login', '?aal=aal2')
    return { flow, values: values(identity, result, flow) }
  })
}

export async function addKey(_: TestIdentity, owner: Client): Promise<Authenticator> {
  const key = new Authenticator()
  const flow = await owner.open('settings')
  const webauthn_register = key.create(optionsIn(flow, 'webauthn_register_trigger'))
  const added: Answer = await owner.submit(flow, { webauthn_register, webauthn_register_displayname: 'blue' })
  assert.equal(added.status, 200)
  return key
}

export async function addPasskey(_: TestIdentity, owner: Client): Promise<Authenticator> {
  const key = new Authenticator()
  const flow = await owner.open('settings')
  const passkey_settings_register = key.create(optionsIn(flow, 'passkey_create_data'))
  assert.equal((await owner.submit(flow, { passkey_settings_register })).status, 200)
  return key
}

export async function linkIn(identity: TestIdentity, about: string): Promise<string> {
  const mail = (await identity.mails(ADA)).findLast(({ body }) => body.includes(about))
  const url = /https?:\S+token=\S+/.exec(mail?.body ?? '')?.[0]
  assert.ok(url)
  return new URL(url).searchParams.get('token') ?? ''
}

/** Every method but providers. */
export function configFor({ config = {} }: Submission): Merge {
  return merge(
    configWith([]),
    merge({ selfservice: { methods: { webauthn: { config: { passwordless: false } } } } }, config),
  )
}
