import type { Migration } from 'kysely/migration'
import { initial } from './0001-initial.ts'
import { codeUses } from './0002-code-uses.ts'
import { limits } from './0004-limits.ts'
import { pendingAddresses } from './0005-pending-addresses.ts'
import { events } from './0006-events.ts'
import { sessionActivity } from './0007-session-activity.ts'
import { accountDeletion } from './0008-account-deletion.ts'
import { messageData } from './0008-message-data.ts'
import { installation } from './0009-installation.ts'
import { listIndexes } from './0010-list-indexes.ts'
import { replicas } from './0011-replicas.ts'
import { unverifiedAddresses } from './0012-unverified-addresses.ts'
import { installationSecrets } from './0013-installation-secrets.ts'
import { liveSessions } from './0019-live-sessions.ts'
import { identifierSearch } from './0020-identifier-search.ts'
import { addressSearch } from './0021-address-search.ts'
import { forgottenDevices } from './0022-forgotten-devices.ts'
import { provenSignUps } from './0023-proven-sign-ups.ts'

/** In the order of their names. A released migration is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-code-uses': codeUses,
  '0004-limits': limits,
  '0005-pending-addresses': pendingAddresses,
  '0006-events': events,
  '0007-session-activity': sessionActivity,
  '0008-account-deletion': accountDeletion,
  '0008-message-data': messageData,
  '0009-installation': installation,
  '0010-list-indexes': listIndexes,
  '0011-replicas': replicas,
  '0012-unverified-addresses': unverifiedAddresses,
  '0013-installation-secrets': installationSecrets,
  '0019-live-sessions': liveSessions,
  '0020-identifier-search': identifierSearch,
  '0021-address-search': addressSearch,
  '0022-forgotten-devices': forgottenDevices,
  '0023-proven-sign-ups': provenSignUps,
}
