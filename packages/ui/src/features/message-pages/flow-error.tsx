import { type IdentityService, useAuth } from '@ostiary/react'
import { identityClient, useService } from '@ostiary/react/internal'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { readFormBeforeProvider } from '../../flow/return-target.tsx'
import * as paths from '../../paths.ts'
import { messagePageTexts } from '../../texts/message-pages.ts'
import { useHydrated } from '../../ui/browser.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { BrokenDrawing, MessagePage } from '../../ui/message-page.tsx'
import { usePageTitle } from '../../ui/page.tsx'

const { error: texts } = messagePageTexts

/**
 * The page of an error that the identity service redirects to.
 *
 * @example page('/error', async () => ({ default: FlowError }))
 */
export function FlowError() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const service = useService()
  const { data, isPending } = useQuery({
    queryKey: ['flow-error', id],
    queryFn: () => readError(service, id),
    retry: false,
    enabled: id !== '',
  })
  const { session } = useAuth()
  usePageTitle(texts.title)
  // The prerendered page does not know its query.
  const hydrated = useHydrated()
  const isWaiting = !hydrated || (id !== '' && isPending)
  const { kind, email } = hydrated ? readFormBeforeProvider() : {}
  return (
    <MessagePage
      drawing={<BrokenDrawing />}
      heading={texts.heading}
      isError
      actions={
        <>
          {session ? (
            <ButtonLink to={paths.settings}>{texts.settings}</ButtonLink>
          ) : (
            <ButtonLink to={kind === 'registration' ? paths.register : paths.login} state={{ email }}>
              {texts.again}
            </ButtonLink>
          )}
          <ButtonLink to={paths.home} look="neutral">
            {messagePageTexts.home}
          </ButtonLink>
        </>
      }
    >
      {isWaiting ? '' : (data ?? texts.unknown)}
    </MessagePage>
  )
}

async function readError(service: IdentityService, id: string): Promise<string | null> {
  const { error } = await identityClient(service).getFlowError({ id })
  const { reason, message } = (error ?? {}) as { reason?: string; message?: string }
  return reason || message || null
}
