import { ButtonLink } from '../ui/button.tsx'
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

export function NotFound() {
  usePageTitle('Not found')
  return (
    <Page>
      <PageHeading>404 Not Found</PageHeading>
      <p className="text-muted">There is nothing at this address. It may have moved, or a letter is wrong.</p>
      <ButtonLink to="/" look="neutral">
        Back to the home page
      </ButtonLink>
    </Page>
  )
}
