import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { findDueDate } from '../storage/identities/account-deletions.ts'
import { findIdentity } from '../storage/identities/identities.ts'
import type { OwnCredentials } from './credentials.ts'
import { describeCredentials, renamePasskey } from './credentials.ts'
import type { DeletionAnswer } from './deletion.ts'
import { cancelDeletion, requestDeletion } from './deletion.ts'
import type { ExportAnswer } from './export.ts'
import { exportAccount } from './export.ts'
import { isRecovering } from './recovering.ts'
import { sessionActivity } from './session-activity.ts'

/** The caller must authenticate the owner. */
export interface OwnAccount {
  credentials(identity_id: string): Promise<OwnCredentials>
  renamePasskey(identity_id: string, id: string, name: string): Promise<boolean>
  exportAll(session_id: string): Promise<ExportAnswer>
  requestDeletion(session_id: string): Promise<DeletionAnswer>
  deletionDue(identity_id: string): Promise<string | undefined>
  /** Needs no recent sign-in, because it loses nothing and the owner is notified. */
  cancelDeletion(identity_id: string): Promise<void>
  /** True until the user of a recovery session sets a credential. */
  isRecovering(session_id: string): Promise<boolean>
  sessionActivity(identity_id: string): Promise<Readonly<Record<string, string>>>
}

export function ownAccount(ctx: () => Context): OwnAccount {
  return {
    credentials: (identity_id) => describeCredentials(ctx(), identity_id),
    renamePasskey: (identity_id, id, name) => renamePasskey(ctx(), identity_id, id, name),
    exportAll: (session_id) => exportAccount(ctx(), session_id),
    requestDeletion: (session_id) => requestDeletion(ctx(), session_id),
    deletionDue: (identity_id) => findDueDate(ctx().db, identity_id),
    cancelDeletion: (identity_id) =>
      transact(ctx(), async (ctx) => {
        const identity = await findIdentity(ctx.db, identity_id)
        if (identity) await cancelDeletion(ctx, identity)
      }),
    isRecovering: (session_id) => isRecovering(ctx(), session_id),
    sessionActivity: (identity_id) => sessionActivity(ctx(), identity_id),
  }
}
