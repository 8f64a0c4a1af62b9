import type { Context } from '../contract.ts'
import type { OwnCredentials } from './credentials.ts'
import { describeCredentials, renamePasskey } from './credentials.ts'
import type { DeletionAnswer } from './deletion.ts'
import { requestDeletion } from './deletion.ts'
import { exportAccount } from './export.ts'
import { isRecovering } from './recovering.ts'
import { sessionActivity } from './session-activity.ts'

/** What an owner may do with their account beyond the protocol. The caller has made sure that it is the owner. */
export interface OwnAccount {
  credentials(identity_id: string): Promise<OwnCredentials>
  /** False where the account has no such passkey. */
  renamePasskey(identity_id: string, id: string, name: string): Promise<boolean>
  /** Undefined where there is no such account. */
  exportAll(identity_id: string): Promise<object | undefined>
  requestDeletion(session_id: string): Promise<DeletionAnswer>
  /** Whether a session came from a recovery and its user has to set a credential first. */
  isRecovering(session_id: string): Promise<boolean>
  /** When each live session was last used, by its id. */
  sessionActivity(identity_id: string): Promise<Readonly<Record<string, string>>>
}

/** `ctx` gives the context of the present configuration. */
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
