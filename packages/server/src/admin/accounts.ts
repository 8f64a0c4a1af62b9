import { z } from 'zod'
import { StartError } from '../http/errors.ts'
import { storedRoles } from '../session/roles.ts'
import type { AdminClient } from './admin-client.ts'

const account = z.looseObject({
  id: z.string(),
  traits: z.looseObject({ email: z.string().optional() }),
  metadata_public: z.unknown(),
})

export type Account = z.infer<typeof account>

const MOST_FOUND = 50

/** Takes an id or an address. Throws `StartError`. */
export async function findAccount(admin: AdminClient, user: string): Promise<Account> {
  if (UUID.test(user)) return account.parse(await admin.call('GET', `/identities/${user}`))
  const query = new URLSearchParams({ credentials_identifier: user })
  const [foundAccount, ...others] = z.array(account).parse(await admin.call('GET', `/identities?${query}`))
  if (!foundAccount)
    throw new StartError(`No account has the address ${user}. The admin page finds accounts by a part of it.`)
  if (others.length > 0)
    throw new StartError(
      `Several accounts have an address like ${user}. Name one by its id: ${[foundAccount, ...others].map(({ id, traits }) => `${id} (${traits.email})`).join(', ')}.`,
    )
  return foundAccount
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Keeps everything else, also what another operator changes at the same time. */
export async function changeRole(
  admin: AdminClient,
  { id }: Account,
  { role, roles, change }: { role: string; roles: readonly string[]; change: 'add' | 'remove' },
): Promise<void> {
  await admin.update(`/identities/${id}`, (current) => {
    const currentRoles = storedRoles(account.parse(current).metadata_public)
    const hasRole = currentRoles.includes(role)
    // A role that the product dropped can be removed.
    if (!roles.includes(role) && (!hasRole || change === 'add'))
      throw new StartError(`There is no role ${role}. The roles of this product are: ${roles.join(', ')}.`)
    if (hasRole === (change === 'add')) return undefined
    const value = hasRole ? currentRoles.filter((one) => one !== role) : [...currentRoles, role]
    return [{ op: 'add', path: '/metadata_public/roles', value }]
  })
}

const message = z.looseObject({
  id: z.string(),
  status: z.string(),
  recipient: z.string(),
  template_type: z.string(),
  own_template_type: z.string().optional(),
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

/** Undefined for a sent message. An outage of the mail server counts as no attempt. */
export async function lastError(admin: AdminClient, message: QueuedMessage): Promise<string | undefined> {
  if (message.status === 'sent') return undefined
  const { dispatches } = attempts.parse(await admin.call('GET', `/courier/messages/${message.id}`))
  return dispatches.at(-1)?.error
}

export async function retryMessage(admin: AdminClient, id: string): Promise<QueuedMessage> {
  if (!UUID.test(id)) throw new StartError('Name the email by its id: `mail list` shows it.')
  return message.parse(await admin.call('POST', `/courier/messages/${id}/retry`))
}

const adminCall = z.looseObject({
  created_at: z.string(),
  operator: z.string().nullable(),
  method: z.string(),
  outcome: z.string(),
  identity_id: z.string().nullable(),
  changes: z.string().nullable(),
  client_address: z.string(),
})

export type AdminCall = z.infer<typeof adminCall>

/** Newest first. */
export async function listAdminCalls(admin: AdminClient, range: 'newest' | 'all'): Promise<AdminCall[]> {
  const calls: AdminCall[] = []
  let nextPage: string | undefined = `/audit?page_size=${range === 'newest' ? MOST_FOUND : 500}`
  while (nextPage !== undefined) {
    const page = await admin.page(nextPage)
    calls.push(...z.array(adminCall).parse(page.items))
    nextPage = range === 'all' ? page.next : undefined
  }
  return calls
}
