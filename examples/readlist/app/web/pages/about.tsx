import { Page, PageHeading, usePageTitle } from '@ostiary/ui'
import { aboutTexts as texts } from '../../texts.ts'

export default function About() {
  usePageTitle(texts.title)
  return (
    <Page wide>
      <div className="grid gap-4">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-18 text-muted">{texts.lead}</p>
      </div>
    </Page>
  )
}
