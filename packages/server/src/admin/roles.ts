import { z } from 'zod'
import { StartError } from '../http/errors.ts'
import { storedRoles } from '../session/roles.ts'
import type { Account } from './accounts.ts'
import type { AdminClient } from './admin-client.ts'

interface RoleChange {
  readonly role: string
  readonly roles: readonly string[]
  readonly change: 'add' | 'remove'
}

/** Keeps everything else, also what another operator changes at the same time. */
export async function changeRole(
  admin: AdminClient,
  { id }: Account,
  { role, roles, change }: RoleChange,
): Promise<void> {
  await admin.update(`/identities/${id}`, (current) => {
    const currentRoles = storedRoles(withMetadata.parse(current).metadata_public)
    const hasRole = currentRoles.includes(role)
    // A role that the product dropped can be removed.
    if (!hasRole || change === 'add') assertRole(role, roles)
    if (hasRole === (change === 'add')) return undefined
    const value = hasRole ? currentRoles.filter((one) => one !== role) : [...currentRoles, role]
    return [{ op: 'add', path: '/metadata_public/roles', value }]
  })
}

const withMetadata = z.object({ metadata_public: z.unknown() })

function assertRole(role: string, roles: readonly string[]): void {
  if (roles.includes(role)) return
  throw new StartError(`There is no role ${role}. The roles of this product are: ${roles.join(', ')}.`)
}
