import { RequestFailed, z } from '@ostiary/ui'
import { call } from '../call.ts'
import { type Account, account, recoveryCode } from '../records.ts'

const path = (id: string) => `/identities/${id}`

export async function signOutEverywhere(id: string): Promise<void> {
  await call('DELETE', `${path(id)}/sessions`).catch(ignoreMissing)
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof RequestFailed && error.status === 404)) throw error
}

export const enableAccount = (id: string) => setState(id, 'active')

/** Also ends the sessions, which would become valid again with the account. */
export async function disableAccount(id: string): Promise<void> {
  await setState(id, 'inactive')
  await signOutEverywhere(id)
}

async function setState(id: string, value: 'active' | 'inactive'): Promise<void> {
  await call('PATCH', path(id), [{ op: 'replace', path: '/state', value }])
}

/** Fails if another operator changes the account at the same time. */
export async function changeRole(id: string, role: string, change: 'add' | 'remove'): Promise<void> {
  const { json, headers } = await call('GET', path(id))
  const others = z.parse(account, json).metadata_public.roles.filter((one) => one !== role)
  const value = change === 'add' ? [...others, role] : others
  const operation = { op: 'add', path: '/metadata_public/roles', value }
  await call('PATCH', path(id), [operation], headers.get('ETag') ?? undefined)
}

/** In the order of their removal. Backup codes alone would lock the owner out once used up. */
export const SECOND_STEPS = ['lookup_secret', 'totp'] as const

/** A retry finds what an interrupted removal has left. */
export async function removeSecondStep({ id, credentials }: Account): Promise<void> {
  for (const type of SECOND_STEPS)
    if (type in credentials) await call('DELETE', `${path(id)}/credentials/${type}`).catch(ignoreMissing)
}

export const deleteAccount = (id: string) => call('DELETE', path(id))

export const resendVerification = (id: string) => call('POST', `${path(id)}/verification`)

export async function createRecoveryCode(identity_id: string) {
  const { json } = await call('POST', '/recovery/code', { identity_id })
  return z.parse(recoveryCode, json)
}
