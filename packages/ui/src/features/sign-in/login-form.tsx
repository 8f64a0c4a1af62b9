import type { LoginFlow } from '@ory/client-fetch'
import { type Next, useAuth, useLogin } from '@ostiary/react'
import { isCodeSent, lastEmail, textIn, traitsOf } from '@ostiary/react/internal'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { RedirectNotice } from '../../auth/access.tsx'
import { announcedDeletion, forgetAnnouncedDeletion } from '../../auth/deletion.ts'
import { useNext } from '../../auth/use-next.ts'
import { VisitorsOnly } from '../../auth/visitors-only.tsx'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { useCredentials } from '../../forms/credentials/credentials-form.tsx'
import { FormHead } from '../../forms/credentials/form-head.tsx'
import { leaveFor, useHydrated } from '../../ui/browser.ts'
import { formatDay } from '../../ui/locale.ts'
import { FormPage, Notice } from '../../ui/page.tsx'
import { ConfirmForm, isLinking, linkOf } from './confirm-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { signInTexts as texts } from './texts.ts'
import { type LoginFlowForm, useLinkedCode } from './use-sign-in.ts'

/** Lazy, because most accounts have one factor. */
const SecondFactor = lazy(async () => ({ default: (await import('./second-factor.tsx')).SecondFactor }))
/** Lazy, because login by emailed code is off by default. */
const EnterSignInCode = lazy(async () => ({ default: (await import('./code-sign-in.tsx')).EnterSignInCode }))

interface LoginFormProps {
  title: string
  /** The label of the button; default: the title. */
  submit?: string
  /** Under the title, such as a link to the registration. */
  children?: ReactNode
}

/**
 * The login of visitors: password, passkey, provider and code, the second step, and the confirmation of who is
 * logged in already. Leads on to the page that was wanted.
 *
 * @example <LoginForm title="Login"><FormLink to="/register">Sign up</FormLink></LoginForm>
 */
export function LoginForm(props: LoginFormProps) {
  const [search] = useSearchParams()
  const { needsSecondFactor } = useAuth()
  const hydrated = useHydrated()
  const [email, setEmail] = useState<string>()
  const isSecondStep = search.get('aal') === 'aal2' || needsSecondFactor
  const goOn = useNext()
  const login = useLogin({
    ...useFlowInUrl(),
    // The URL names a flow of either step.
    aal: isSecondStep && !search.has('flow') ? 'aal2' : 'aal1',
    onNext: async (next) => (isReturning(next, login.flow) ? leaveFor(next.returnTo) : await goOn(next)),
  })
  const { flow } = login
  const linked = useLinkedCode()
  // The page was prerendered with the first step. A flow that replaces an unknown one may be of that step too.
  if (hydrated && (flow?.requested_aal ?? (isSecondStep && 'aal2')) === 'aal2')
    return (
      <LaterStep login={login}>
        <SecondFactor login={login} email={email} />
      </LaterStep>
    )
  if (flow && !flow.refresh && isCodeSent(flow)) {
    const code = linked?.flowId === flow.id ? linked.code : undefined
    return (
      <LaterStep login={login}>
        <EnterSignInCode login={login} flow={flow} code={code} />
      </LaterStep>
    )
  }
  const isLinkDead = linked !== undefined && login.isRenewed
  return (
    <FirstStep
      {...props}
      login={login}
      flow={flow}
      isNamed={search.has('flow')}
      isLinkDead={isLinkDead}
      onSubmit={setEmail}
    />
  )
}

/** The service applies a pending change there. After a provider, only the flow knows the page that the user wanted. */
function isReturning(next: Next, flow: LoginFlow | undefined): next is Next & { returnTo: string } {
  if (next.kind !== 'done' || next.returnTo === undefined || flow === undefined) return false
  return flow.refresh === true || (flow.return_to !== undefined && isLinking(flow))
}

interface LaterStepProps {
  login: LoginFlowForm
  children: ReactNode
}

/** While it waits, it is about as high as the first step, so that the footer stays below. */
function LaterStep({ login, children }: LaterStepProps) {
  return (
    <VisitorsOnly form={login}>
      <FormPage>
        <div className={login.flow ? undefined : 'min-h-[32rem]'}>
          <Suspense>{children}</Suspense>
        </div>
      </FormPage>
    </VisitorsOnly>
  )
}

interface FirstStepProps extends LoginFormProps {
  login: LoginFlowForm
  flow: LoginFlow | undefined
  isNamed: boolean
  /** An emailed link expired, was used, or belongs to another browser. */
  isLinkDead: boolean
  onSubmit(email: string): void
}

function FirstStep(props: FirstStepProps) {
  const { title, submit = title, children, login, flow, isNamed, isLinkDead, onSubmit } = props
  const { session } = useAuth()
  const hydrated = useHydrated()
  const credentials = useCredentials(lastEmail)
  const { email: typed } = credentials.texts
  const ownEmail = flow?.refresh ? traitsOf(session?.identity).email : undefined
  const email = flow && (knownEmail(flow) ?? ownEmail)
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
    <VisitorsOnly form={login} waits={isOpening || flow?.refresh === true}>
      <FormPage>
        <div className={isHidden ? 'invisible' : undefined}>
          <div className="mb-6 grid gap-4">
            {/* A new account has another address than the last login. */}
            <FormHead title={title} email={typed === lastEmail() ? undefined : typed}>
              {children}
            </FormHead>
            <DeletionNotice />
            <Notice>{isLinkDead && texts.linkDead}</Notice>
            <RedirectNotice>{texts.onward}</RedirectNotice>
          </div>
          <SignInForm submit={submit} login={login} credentials={credentials} onSubmit={onSubmit} />
        </div>
      </FormPage>
    </VisitorsOnly>
  )
}

/** Set if the service knows the user. A visible field is not enough. */
function knownEmail(flow: LoginFlow): string | undefined {
  const knownText = textIn(flow, 'identifier', flow.refresh ? undefined : 'hidden')
  return knownText ?? linkOf(flow)?.duplicate_identifier
}

/** For a user who has just requested the deletion. `theme.js` keeps its space in the prerendered page. */
function DeletionNotice() {
  const hydrated = useHydrated()
  const [due] = useState(() => (typeof window === 'undefined' ? null : announcedDeletion()))
  useEffect(forgetAnnouncedDeletion, [])
  if (!hydrated)
    return (
      <div className="invisible hidden in-data-deleting:block">
        <Notice>{texts.deletesOn('31 December 1999')}</Notice>
      </div>
    )
  return due ? <Notice>{texts.deletesOn(formatDay(due))}</Notice> : null
}
