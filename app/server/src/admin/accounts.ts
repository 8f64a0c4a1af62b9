import { z } from 'zod'
import { StartError } from '../http/errors.ts'
import type { AdminClient } from './admin-client.ts'

const address = z.object({
  id: z.string(),
  value: z.string(),
  via: z.string(),
  verified: z.boolean(),
})

const account = z.looseObject({
  id: z.string(),
  state: z.string(),
  traits: z.looseObject({ email: z.string().optional() }),
  metadata_public: z.unknown(),
  created_at: z.string(),
  credentials: z.record(z.string(), z.unknown()).default({}),
  verifiable_addresses: z.array(address).default([]),
})

export type Account = z.infer<typeof account>

const session = z.looseObject({
  id: z.string(),
  active: z.boolean(),
  authenticated_at: z.string(),
  expires_at: z.string(),
  authenticator_assurance_level: z.string(),
  devices: z
    .array(z.looseObject({ ip_address: z.string().default(''), user_agent: z.string().default('') }))
    .default([]),
})

export type AccountSession = z.infer<typeof session>

const MOST_FOUND = 50

export async function searchAccounts(admin: AdminClient, text: string): Promise<Account[]> {
  const query = new URLSearchParams({
    preview_credentials_identifier_similar: text,
    page_size: String(MOST_FOUND),
  })
  return z.array(account).parse(await admin.call('GET', `/identities?${query}`))
}

/** Takes an id or an address. Throws `StartError`. */
export async function findAccount(admin: AdminClient, who: string): Promise<Account> {
  if (UUID.test(who)) return account.parse(await admin.call('GET', `/identities/${who}`))
  const query = new URLSearchParams({ credentials_identifier: who })
  const [found] = z.array(account).parse(await admin.call('GET', `/identities?${query}`))
  if (!found)
    throw new StartError(`No account has the address ${who}. \`user find\` searches by a part of it.`)
  return found
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export async function setState(
  admin: AdminClient,
  account: Account,
  state: 'active' | 'inactive',
): Promise<void> {
  await admin.call('PATCH', `/identities/${account.id}`, [{ op: 'replace', path: '/state', value: state }])
  // Otherwise the sessions would be valid again once the account is enabled.
  if (state === 'inactive') await signOut(admin, account)
}

export async function signOut(admin: AdminClient, account: Account): Promise<number> {
  const live = await listSessions(admin, account, { active: 'true' })
  // The admin API returns 404 without a session.
  if (live.length > 0) await admin.call('DELETE', `/identities/${account.id}/sessions`)
  return live.length
}

export async function listSessions(
  admin: AdminClient,
  { id }: Account,
  filter: { readonly active?: 'true' } = {},
): Promise<AccountSession[]> {
  const query = new URLSearchParams({ ...filter, page_size: String(MOST_FOUND) })
  return z.array(session).parse(await admin.call('GET', `/identities/${id}/sessions?${query}`))
}

export async function deleteAccount(admin: AdminClient, { id }: Account): Promise<void> {
  await admin.call('DELETE', `/identities/${id}`)
}

const recoveryCode = z.object({
  recovery_code: z.string(),
  recovery_link: z.string(),
  expires_at: z.string(),
})

export async function createRecoveryCode(admin: AdminClient, { id }: Account) {
  return recoveryCode.parse(await admin.call('POST', '/recovery/code', { identity_id: id }))
}

export async function verifyAddresses(admin: AdminClient, found: Account): Promise<number> {
  const changes = found.verifiable_addresses.flatMap(({ verified }, index) =>
    verified ? [] : [{ op: 'replace', path: `/verifiable_addresses/${index}/verified`, value: true }],
  )
  if (changes.length > 0) await admin.call('PATCH', `/identities/${found.id}`, changes)
  return changes.length
}

const message = z.looseObject({
  id: z.string(),
  status: z.string(),
  recipient: z.string(),
  template_type: z.string(),
  send_count: z.number(),
  created_at: z.string(),
})

export type QueuedMessage = z.infer<typeof message>

export async function listMessages(
  admin: AdminClient,
  recipient: string | undefined,
): Promise<QueuedMessage[]> {
  const query = new URLSearchParams({ page_size: String(MOST_FOUND), ...(recipient ? { recipient } : {}) })
  return z.array(message).parse(await admin.call('GET', `/courier/messages?${query}`))
}

const attempts = z.object({ dispatches: z.array(z.object({ error: z.string().optional() })).default([]) })

/** Undefined for a sent message, or one without an attempt. */
export async function lastError(admin: AdminClient, message: QueuedMessage): Promise<string | undefined> {
  if (message.status === 'sent' || message.send_count === 0) return undefined
  const { dispatches } = attempts.parse(await admin.call('GET', `/courier/messages/${message.id}`))
  return dispatches.at(-1)?.error
}

export async function retryMessage(admin: AdminClient, id: string): Promise<QueuedMessage> {
  if (!UUID.test(id)) throw new StartError('Name the email by its id: `mail list` shows it.')
  return message.parse(await admin.call('POST', `/courier/messages/${id}/retry`))
}

export async function resendVerification(admin: AdminClient, { id }: Account): Promise<string> {
  const sent = await admin.call('POST', `/identities/${id}/verification`)
  return z.object({ sent_to: z.string() }).parse(sent).sent_to
}

const event = z.looseObject({
  event: z.string(),
  outcome: z.string(),
  method: z.string().default(''),
  detail: z.string().default(''),
  client_address: z.string(),
  created_at: z.string(),
})

export type AccountEvent = z.infer<typeof event>

/** Newest first. */
export async function listEvents(admin: AdminClient, { id }: Account): Promise<AccountEvent[]> {
  return z.array(event).parse(await admin.call('GET', `/identities/${id}/events?page_size=${MOST_FOUND}`))
}

const adminCall = z.looseObject({
  created_at: z.string(),
  operator: z.string().nullable(),
  method: z.string(),
  outcome: z.string(),
  identity_id: z.string().nullable(),
  client_address: z.string(),
})

export type AdminCall = z.infer<typeof adminCall>

/** Newest first. */
export async function listAdminCalls(admin: AdminClient, which: 'newest' | 'all'): Promise<AdminCall[]> {
  const calls: AdminCall[] = []
  let next: string | undefined = `/audit?page_size=${which === 'newest' ? MOST_FOUND : 500}`
  while (next !== undefined) {
    const page = await admin.page(next)
    calls.push(...z.array(adminCall).parse(page.items))
    next = which === 'all' ? page.next : undefined
  }
  return calls
}
