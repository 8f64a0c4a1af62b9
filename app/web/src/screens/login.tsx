import type { LoginFlow } from '@ory/client-fetch'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { RedirectNotice } from '../auth/access.tsx'
import { announcedDeletion, forgetAnnouncedDeletion } from '../auth/session.ts'
import { traitsOf, useAuth } from '../auth/use-auth.ts'
import { VisitorsOnly } from '../auth/visitors-only.tsx'
import { ConfirmForm, isLinking, linkOf } from '../features/sign-in/confirm-form.tsx'
import { SignInForm } from '../features/sign-in/sign-in-form.tsx'
import { signInTexts as texts } from '../features/sign-in/texts.ts'
import { type LoginUse, useLinkedCode } from '../features/sign-in/use-sign-in.ts'
import { loginFlow, secondFactorFlow } from '../flow/kinds.ts'
import { isCodeSent, textIn } from '../flow/nodes.ts'
import { OnwardLink } from '../flow/onward.tsx'
import { useFlow } from '../flow/use-flow.ts'
import { useCredentials } from '../forms/credentials/credentials-form.tsx'
import * as paths from '../paths.ts'
import { useHydrated } from '../ui/browser.ts'
import { formatDay } from '../ui/locale.ts'
import { FormPage, Notice, PageHeading } from '../ui/page.tsx'

/** Lazy, because most accounts have one factor. */
const SecondFactor = lazy(async () => ({
  default: (await import('../features/sign-in/second-factor.tsx')).SecondFactor,
}))
/** Lazy, because login by emailed code is off by default. */
const EnterSignInCode = lazy(async () => ({
  default: (await import('../features/sign-in/code-sign-in.tsx')).EnterSignInCode,
}))

export function Screen() {
  const [search] = useSearchParams()
  const { needsSecondFactor } = useAuth()
  const hydrated = useHydrated()
  const isSecondStep = search.get('aal') === 'aal2' || needsSecondFactor
  // The URL names a flow of either step.
  const login = useFlow(isSecondStep && !search.has('flow') ? secondFactorFlow : loginFlow)
  const { flow } = login
  const linked = useLinkedCode()
  // The page was prerendered with the first step.
  if (hydrated && (isSecondStep || flow?.requested_aal === 'aal2')) {
    return (
      <VisitorsOnly>
        <FormPage>
          <Suspense>
            <SecondFactor login={login} />
          </Suspense>
        </FormPage>
      </VisitorsOnly>
    )
  }
  if (flow && !flow.refresh && isCodeSent(flow)) {
    return (
      <VisitorsOnly>
        <FormPage>
          <Suspense>
            <EnterSignInCode
              login={login}
              flow={flow}
              code={linked?.flowId === flow.id ? linked.code : undefined}
            />
          </Suspense>
        </FormPage>
      </VisitorsOnly>
    )
  }
  const isLinkDead = linked !== undefined && login.isRenewed
  return <FirstStep login={login} flow={flow} isNamed={search.has('flow')} isLinkDead={isLinkDead} />
}

interface FirstStepProps {
  login: LoginUse
  flow: LoginFlow | undefined
  isNamed: boolean
  /** An emailed link expired, was used, or belongs to another browser. */
  isLinkDead: boolean
}

function FirstStep({ login, flow, isNamed, isLinkDead }: FirstStepProps) {
  const { session } = useAuth()
  const hydrated = useHydrated()
  const credentials = useCredentials()
  const own = flow?.refresh ? traitsOf(session?.identity).email : undefined
  const email = flow && (knownEmail(flow) ?? own)
  if (flow && (email !== undefined || isLinking(flow))) {
    return (
      <FormPage>
        <ConfirmForm login={login} flow={flow} email={email} />
      </FormPage>
    )
  }
  const isOpening = isNamed && !login.opened
  // It may need another form.
  const isHidden = hydrated && isOpening && !login.isUnreachable
  return (
    <VisitorsOnly waits={isOpening || flow?.refresh === true}>
      <FormPage>
        <div className={isHidden ? 'invisible' : undefined}>
          <div className="mb-6 grid gap-4">
            <div className="grid gap-1">
              <PageHeading small>{texts.title}</PageHeading>
              <p className="text-muted">
                <span>{texts.isNew}</span>{' '}
                <OnwardLink to={paths.register} state={{ email: credentials.texts.email }} className="link">
                  {texts.signUp}
                </OnwardLink>
              </p>
            </div>
            <DeletionNotice />
            <Notice>{isLinkDead && texts.linkDead}</Notice>
            <RedirectNotice>{texts.onward}</RedirectNotice>
          </div>
          <SignInForm login={login} credentials={credentials} />
        </div>
      </FormPage>
    </VisitorsOnly>
  )
}

/** Set if the service knows the user. A visible field is not enough. */
function knownEmail(flow: LoginFlow): string | undefined {
  const known = textIn(flow, 'identifier', flow.refresh ? undefined : 'hidden')
  return known ?? linkOf(flow)?.duplicate_identifier
}

/** For a user who has just requested the deletion. */
function DeletionNotice() {
  const hydrated = useHydrated()
  const [due] = useState(() => (typeof window === 'undefined' ? null : announcedDeletion()))
  useEffect(forgetAnnouncedDeletion, [])
  if (!hydrated || !due) return null
  return <Notice>{texts.deletesOn(formatDay(due))}</Notice>
}
