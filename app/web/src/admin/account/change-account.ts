import { RequestFailed } from '../../api/request.ts'
import { z } from '../../ui/form/schema.ts'
import { call } from '../call.ts'
import { recoveryCode } from '../records.ts'

const path = (id: string) => `/identities/${id}`

export async function signOutEverywhere(id: string): Promise<void> {
  await call('DELETE', `${path(id)}/sessions`).catch((error: unknown) => {
    if (!(error instanceof RequestFailed && error.status === 404)) throw error
  })
}

export async function enable(id: string): Promise<void> {
  await setState(id, 'active')
}

/** Also ends the sessions, which would become valid again with the account. */
export async function disable(id: string): Promise<void> {
  await setState(id, 'inactive')
  await signOutEverywhere(id)
}

async function setState(id: string, value: 'active' | 'inactive'): Promise<void> {
  await call('PATCH', path(id), [{ op: 'replace', path: '/state', value }])
}

export async function deleteAccount(id: string): Promise<void> {
  await call('DELETE', path(id))
}

export async function resendVerification(id: string): Promise<void> {
  await call('POST', `${path(id)}/verification`)
}

export async function createRecoveryCode(identity_id: string) {
  const { json } = await call('POST', '/recovery/code', { identity_id })
  return z.parse(recoveryCode, json)
}
