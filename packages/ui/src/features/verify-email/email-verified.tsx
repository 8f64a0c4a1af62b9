import type { VerificationFlow } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import { findMessage } from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useEffect, useRef } from 'react'
import { type ReturnTarget, useReturnTarget } from '../../flow/return-target.tsx'
import * as paths from '../../paths.ts'
import { pageAfterLogin } from '../../product.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { TickIcon } from '../../ui/icons.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'
import { emailVerifiedTexts as texts } from './texts.ts'

export function EmailVerified({ flow, email }: { flow: VerificationFlow; email: string | undefined }) {
  const onward = useReturnTarget()
  const { isAuthenticated } = useAuth()
  const view = useRef<HTMLDivElement>(null)
  const { title, words, to, button } = endOf(flow, usualEnd(isAuthenticated, onward))
  usePageTitle(title)
  useEffect(() => view.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={view} className="grid justify-items-center gap-4 py-4 text-center">
      <span className="grid size-14 place-items-center rounded-round bg-done-tint text-done forced-colors:border">
        <TickIcon />
      </span>
      <PageHeading small>{title}</PageHeading>
      <p className="text-balance text-muted">{words}</p>
      <div className="mt-4 w-full">
        <ButtonLink to={to} state={{ ...onward, email }} full>
          {button}
        </ButtonLink>
      </div>
    </div>
  )
}

/** The login page leads back to an OAuth 2.0 server. */
function usualEnd(isAuthenticated: boolean, { after = pageAfterLogin(), login_challenge }: ReturnTarget) {
  const { title } = texts
  if (!isAuthenticated) return { title, words: texts.text, to: paths.login, button: texts.login }
  return { title, words: texts.confirmed, to: login_challenge ? paths.login : after, button: texts.continue }
}

function endOf(flow: VerificationFlow, otherwise: ReturnType<typeof usualEnd>) {
  const textOf = (id: number) => findMessage(flow, id)?.text
  const [changed, restored] = [textOf(messageIds.addressChanged), textOf(messageIds.addressRestored)]
  const ended = textOf(messageIds.appSignInEnded)
  const onward = flow.ui.nodes.find(({ attributes }) => attributes.node_type === 'a')?.attributes
  if (ended && onward && 'href' in onward)
    return { title: texts.title, words: ended, to: onward.href, button: texts.continue }
  if (changed) return { title: texts.changed, words: changed, to: paths.settings, button: texts.settings }
  if (restored) {
    return { title: texts.restored, words: restored, to: paths.recovery, button: texts.newPassword }
  }
  return otherwise
}
