import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'

export function About() {
  usePageTitle('About us')
  return (
    <Page>
      <PageHeading>About Us</PageHeading>
      <p className="text-18 text-muted">
        My App is a small web app with accounts: you register, verify your email address, sign in and see a
        dashboard.
      </p>
      <p className="text-muted">
        It shows how these everyday steps can be quick, clear and safe, on a phone as well as on a desk, with
        the keyboard alone or with a screen reader.
      </p>
    </Page>
  )
}
