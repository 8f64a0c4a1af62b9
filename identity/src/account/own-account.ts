import type { Context } from '../contract.ts'
import type { OwnCredentials } from './credentials.ts'
import { describeCredentials, renamePasskey } from './credentials.ts'
import type { DeletionAnswer } from './deletion.ts'
import { requestDeletion } from './deletion.ts'
import { exportAccount } from './export.ts'
import { isRecovering } from './recovering.ts'
import { sessionActivity } from './session-activity.ts'

/** What users can do with their account beyond the protocol. The caller has authenticated the owner. */
export interface OwnAccount {
  credentials(identity_id: string): Promise<OwnCredentials>
  /** Returns false if the account has no such passkey. */
  renamePasskey(identity_id: string, id: string, name: string): Promise<boolean>
  /** Returns undefined if there is no such account. */
  exportAll(identity_id: string): Promise<object | undefined>
  requestDeletion(session_id: string): Promise<DeletionAnswer>
  /** Whether the session comes from a recovery and its user must set a credential first. */
  isRecovering(session_id: string): Promise<boolean>
  /** The last use of each active session, by its id. */
  sessionActivity(identity_id: string): Promise<Readonly<Record<string, string>>>
}

/** `ctx` returns the context of the current configuration. */
export function ownAccount(ctx: () => Context): OwnAccount {
  return {
    credentials: (identity_id) => describeCredentials(ctx(), identity_id),
    renamePasskey: (identity_id, id, name) => renamePasskey(ctx(), identity_id, id, name),
    exportAll: (identity_id) => exportAccount(ctx(), identity_id),
    requestDeletion: (session_id) => requestDeletion(ctx(), session_id),
    isRecovering: (session_id) => isRecovering(ctx(), session_id),
    sessionActivity: (identity_id) => sessionActivity(ctx(), identity_id),
  }
}
