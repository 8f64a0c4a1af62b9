import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useAuth } from '../auth/use-auth.ts'
import { identityClient } from '../flow/client.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'

const UNKNOWN = 'Something went wrong, and we cannot say more about it. Please start again.'

/** Where the identity service sends the browser with an error that no form can show. */
export function ErrorScreen() {
  const [search] = useSearchParams()
  const id = search.get('id') ?? ''
  const { data, isPending } = useQuery({
    queryKey: ['flow-error', id],
    queryFn: () => readError(id),
    retry: false,
    enabled: id !== '',
  })
  const { session } = useAuth()
  usePageTitle('Something went wrong')
  // The page as it is built does not know its address yet.
  const isWaiting = !useHydrated() || (id !== '' && isPending)
  return (
    <Page>
      <PageHeading>That did not work</PageHeading>
      <p role="alert" className="min-h-12 text-muted">
        {isWaiting ? '' : (data ?? UNKNOWN)}
      </p>
      <div className="flex flex-wrap gap-3">
        {session ? (
          <ButtonLink to="/settings">Account settings</ButtonLink>
        ) : (
          <ButtonLink to="/login">Go to sign in</ButtonLink>
        )}
        <ButtonLink to="/" look="neutral">
          Back to the home page
        </ButtonLink>
      </div>
    </Page>
  )
}

/** The sentence that the service left for people; null when it left none. */
async function readError(id: string): Promise<string | null> {
  const { error } = await identityClient().getFlowError({ id })
  const { reason, message } = (error ?? {}) as { reason?: string; message?: string }
  return reason || message || null
}
