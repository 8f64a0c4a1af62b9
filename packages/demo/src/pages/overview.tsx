import { DemoPage } from './demo-page.tsx'
import { Claims } from './showcase/claims.tsx'
import { Diagram } from './showcase/diagram.tsx'
import { Showcase } from './showcase/showcase.tsx'

/** The links open the demo panel on Home, which follows the hash. */
export function Overview() {
  return (
    <DemoPage title="Accounts, with every screen" note="Demo: nothing leaves this app">
      <p className="text-18 text-muted">
        One command starts accounts with every screen and an Ory-compatible identity service, even offline.
      </p>
      <p className="flex flex-wrap gap-x-6 gap-y-2">
        <a href="/#demo=people" className="link">
          Log in as a ready-made user
        </a>
        <a href="/#demo=wire" className="link">
          Watch the protocol
        </a>
      </p>
      <Showcase />
      <Diagram />
      <Claims />
    </DemoPage>
  )
}
