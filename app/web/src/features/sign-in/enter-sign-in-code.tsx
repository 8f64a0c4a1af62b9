import type { LoginFlow } from '@ory/client-fetch'
import { OnwardLink } from '../../flow/onward-link.tsx'
import { EnterCode } from '../../mailed-code/enter-code.tsx'
import { addressOf } from '../../mailed-code/use-mailed-code.ts'
import * as paths from '../../paths.ts'
import { signInCodeTexts as texts } from '../../texts/entry.ts'
import { Address } from '../../ui/address.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page.tsx'
import { useCodeSignIn } from './use-code-sign-in.ts'
import type { LoginUse } from './use-sign-in.ts'

/** The code signs in. The text is the same if no account has the address. */
export function EnterSignInCode({ login, flow }: { login: LoginUse; flow: LoginFlow }) {
  const work = useCodeSignIn(login)
  const address = addressOf(flow)
  return (
    <div className="grid content-start gap-5">
      <div className="grid gap-2">
        <PageHeading small>{texts.title}</PageHeading>
        <p className="text-muted">
          {texts.before} <Address>{address ?? texts.unknown}</Address>
          {texts.after}
        </p>
      </div>
      <Notice>{work.notice}</Notice>
      <EnterCode
        key={flow.id}
        title={texts.title}
        flow={flow}
        work={work}
        button={[texts.button, texts.working]}
      >
        <OnwardLink to={paths.login} state={{ email: address }} onClick={login.forget} className="link">
          {texts.back}
        </OnwardLink>
      </EnterCode>
    </div>
  )
}
