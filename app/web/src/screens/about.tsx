import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'
import { aboutTexts as texts } from './about-texts.ts'

export function Screen() {
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
