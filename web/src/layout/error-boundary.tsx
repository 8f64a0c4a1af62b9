import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Page, PageHeading } from '../ui/page.tsx'

/** The last net: a screen that failed, or whose file could not be loaded, is never a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Failure /> : this.props.children
  }
}

function Failure() {
  return (
    <Page>
      <PageHeading>This page could not be shown</PageHeading>
      <p role="alert">Loading it again helps in most cases. Nothing that was saved is lost.</p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </Page>
  )
}
