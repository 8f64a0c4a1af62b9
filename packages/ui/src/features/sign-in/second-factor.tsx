import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { type Reply, useAuth } from '@ostiary/react'
import { findInput } from '@ostiary/react/internal'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { useAlreadySignedIn } from '../../auth/visitors-only.tsx'
import { failureOf, sentenceFor } from '../../flow/failures.ts'
import { useReturnTarget } from '../../flow/return-target.tsx'
import { appCodeWords, CodeEntryForm, useCodeEntry } from '../../forms/code/code-entry.tsx'
import { type CodeFailure, refusalOf } from '../../forms/code/use-mailed-code.ts'
import { useFollow } from '../../forms/credentials/use-credentials-submit.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { ActionButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Notice, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { secondFactorTexts as texts } from './texts.ts'
import { type LoginUse, useContinueFlow } from './use-sign-in.ts'

export function SecondFactor({ login }: { login: LoginUse }) {
  const { opened, flow, isUnreachable, open } = login
  const onward = useReturnTarget()
  useAlreadySignedIn(opened?.kind)
  const offered = flow ? (['totp', 'lookup_secret'] as const).filter((one) => has(flow, one)) : []
  const [chosen, choose] = useState<Factor>()
  const factor = chosen ?? offered[0] ?? 'totp'
  // The first step has the same path, so the page does not move the focus.
  useEffect(() => () => document.querySelector('h1')?.focus(), [])
  // Without a session there is nothing to complete.
  if (opened?.kind === 'sign-in') return <Navigate to={paths.login} replace state={onward} />
  return (
    <div className="grid gap-6">
      <PageIntro title={texts.title} lead={texts[factor].lead} />
      {onward.after?.startsWith(paths.newPassword) && <Notice>{texts.beforePassword}</Notice>}
      {flow && offered.length === 0 ? (
        <FormError>{texts.none}</FormError>
      ) : (
        <FactorForm key={factor} login={login} factor={factor} />
      )}
      <FormError retry={() => void open()}>
        {isUnreachable && !flow ? failureTexts.unreachable : undefined}
      </FormError>
      <div className="grid justify-items-start gap-1 border-t border-line pt-3 text-14">
        {offered
          .filter((one) => one !== factor)
          .map((one) => (
            <button key={one} type="button" onClick={() => choose(one)} className="link min-h-11">
              {texts[one].instead}
            </button>
          ))}
        <OtherAccount />
        {offered.length > 0 && (
          <details>
            <summary className="link list-none py-3">{texts.lost[offered.length - 1]}</summary>
            <p className="text-muted">{texts.lostHelp()}</p>
          </details>
        )}
      </div>
    </div>
  )
}

function OtherAccount() {
  const { logout } = useAuth()
  const navigate = useNavigate()
  const onward = useReturnTarget()
  async function leave() {
    await logout().catch(console.error)
    await navigate(paths.login, { state: onward })
  }
  return (
    <button type="button" onClick={() => void leave()} className="link min-h-11">
      {texts.otherAccount}
    </button>
  )
}

function has(flow: LoginFlow, factor: Factor): boolean {
  return findInput(flow, fields[factor]) !== undefined
}

function FactorForm({ login, factor }: { login: LoginUse; factor: Factor }) {
  const isBackup = factor === 'lookup_secret'
  const entry = useCodeEntry({ submit, ...(isBackup ? texts.lookup_secret : appCodeWords()) })
  const finish = useContinueFlow(login)
  const follow = useFollow()
  usePageTitle(texts.title)

  async function failureAfter(reply: Reply<LoginFlow>, code: string): Promise<CodeFailure | undefined> {
    if (reply.kind === 'done' || reply.kind === 'already-signed-in') {
      await finish([])
      return undefined
    }
    if (reply.kind === 'form') return refusalOf(reply.flow, fields[factor], code, texts.failed)
    if (await follow(reply)) return undefined
    // If the session has ended, the first step is next.
    if (reply.kind === 'sign-in') await login.open()
    return failureOf(reply, texts.failed)
  }

  async function submit(code: string): Promise<CodeFailure | undefined> {
    const build = (csrf_token: string) =>
      ({ method: factor, [fields[factor]]: code, csrf_token }) as unknown as UpdateLoginFlowBody
    try {
      return await failureAfter(await login.submit({ build }), code)
    } catch (error) {
      return { message: sentenceFor(error, texts.failed), canRetry: false }
    }
  }

  return (
    <CodeEntryForm
      entry={entry}
      id="code"
      label={isBackup ? texts.lookup_secret.label : undefined}
      takesFocus
    >
      <ActionButton type="submit" full words={texts.submit} isBusy={entry.isBusy} />
    </CodeEntryForm>
  )
}

export type Factor = 'totp' | 'lookup_secret'

const fields = { totp: 'totp_code', lookup_secret: 'lookup_secret' } as const
