import type { Identity } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import type { Role } from '@ostiary/server'
import type { ReactNode } from 'react'
import * as paths from '../paths.ts'
import { messagePageTexts, forbiddenTexts as texts } from '../texts/message-pages.ts'
import { ButtonLink } from '../ui/button.tsx'
import { LostDrawing, MessagePage } from '../ui/message-page.tsx'
import { usePageTitle } from '../ui/page.tsx'

/**
 * Shows its content to users with the role, and a refusal to others. For pages with `access: 'session'`.
 *
 * @example <RequireRole name="editor">Drafts</RequireRole>
 */
export function RequireRole({ name, children }: { name: Role; children: ReactNode }) {
  const { session } = useAuth()
  return hasRole(session?.identity, name) ? children : <Forbidden />
}

function Forbidden() {
  usePageTitle(texts.title)
  return (
    <MessagePage
      drawing={<LostDrawing />}
      heading={texts.heading}
      actions={
        <ButtonLink to={paths.home} look="neutral">
          {messagePageTexts.home}
        </ButtonLink>
      }
    >
      {texts.text}
    </MessagePage>
  )
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
