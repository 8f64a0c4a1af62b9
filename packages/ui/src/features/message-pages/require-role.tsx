import type { Identity } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import type { Role } from '@ostiary/server'
import type { ReactNode } from 'react'
import { forbiddenTexts } from '../../texts/message-pages.ts'
import { NoSuchPage } from './not-found.tsx'

/**
 * Shows its content to users with the role, and a refusal to others. For pages with `access: 'session'`.
 *
 * @example <RequireRole name="editor">Drafts</RequireRole>
 */
export function RequireRole({ name, children }: { name: Role; children: ReactNode }) {
  const { session } = useAuth()
  return hasRole(session?.identity, name) ? children : <NoSuchPage {...forbiddenTexts} />
}

/**
 * For display only: the server checks again with `session.require`.
 *
 * @example const canEdit = hasRole(useAuth().session?.identity, 'editor')
 */
export function hasRole(identity: Identity | undefined, role: Role): boolean {
  const { roles }: { roles?: unknown } = identity?.metadata_public ?? {}
  return Array.isArray(roles) && roles.includes(role)
}
