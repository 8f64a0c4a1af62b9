import { Claims } from '../features/showcase/claims.tsx' // sample
import { Diagram } from '../features/showcase/diagram.tsx' // sample
import { Page, PageHeading, usePageTitle } from '../ui/page.tsx'
import { aboutTexts as texts } from './about-texts.ts'

export function Screen() {
  usePageTitle(texts.title)
  return (
    <Page wide>
      <div className="grid gap-12 sm:gap-16">
        <div className="grid gap-4">
          <PageHeading>{texts.heading}</PageHeading>
          <p className="text-18 text-muted">{texts.lead}</p>
          {/* sample */}
          <p className="text-muted">{texts.purpose}</p>
        </div>
        {/* sample */}
        <Diagram />
        {/* sample */}
        <Claims />
      </div>
    </Page>
  )
}
