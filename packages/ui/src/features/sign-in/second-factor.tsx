import type { LoginFlow } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import { findInput, findMessage } from '@ostiary/react/internal'
import * as messageIds from '@ostiary/react/message-ids'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { failureOf } from '../../flow/failures.ts'
import { useReturnTarget } from '../../flow/return-target.tsx'
import {
  appCodeWords,
  CodeEntryForm,
  type CodeFailure,
  refusalOf,
  useCodeEntry,
} from '../../forms/code/code-entry.tsx'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { AddressSentence } from '../../ui/address.tsx'
import { useLatest } from '../../ui/browser.ts'
import { ActionButton } from '../../ui/button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Notice, PageIntro, usePageTitle } from '../../ui/page.tsx'
import { secondFactorTexts as texts } from './texts.ts'
import type { LoginFlowForm } from './use-sign-in.ts'

interface SecondFactorProps {
  login: LoginFlowForm
  /** The address that was entered with the password on this page. */
  email: string | undefined
}

export function SecondFactor({ login, email }: SecondFactorProps) {
  const { flow, isUnreachable, open } = login
  const onward = useReturnTarget()
  const offered = flow ? (['totp', 'lookup_secret'] as const).filter((one) => has(flow, one)) : []
  const [chosen, choose] = useState<Factor>()
  const factor = chosen ?? offered[0] ?? 'totp'
  // The first step has the same path, so the page does not move the focus.
  useEffect(() => () => document.querySelector('h1')?.focus(), [])
  return (
    <div className="grid gap-6">
      <PageIntro title={texts.title} lead={texts[factor].lead} />
      <Account login={login} typedEmail={email} />
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

/** Keeps its space until the flow is known. */
function Account({ login: { flow }, typedEmail }: { login: LoginFlowForm; typedEmail: string | undefined }) {
  const reason = flow && findMessage(flow, messageIds.secondStep)
  // The error of a wrong code replaces that message.
  const identifier = useLatest((reason?.context as { identifier?: string } | undefined)?.identifier)
  const account = identifier ?? typedEmail
  if (flow && !account) return null
  return (
    <p className="min-h-5 text-14 text-muted">
      {account && (
        <AddressSentence before={texts.as} after="">
          {account}
        </AddressSentence>
      )}
    </p>
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

function FactorForm({ login, factor }: { login: LoginFlowForm; factor: Factor }) {
  const isBackup = factor === 'lookup_secret'
  const entry = useCodeEntry({ submit, ...(isBackup ? texts.lookup_secret : appCodeWords()) })
  usePageTitle(texts.title)

  async function submit(code: string): Promise<CodeFailure | undefined> {
    const result = await login.submit({ method: factor }, { [fields[factor]]: code })
    if (result.kind === 'form') return refusalOf(result.flow, fields[factor], code, texts.failed)
    return failureOf(result, texts.failed)
  }

  return (
    <CodeEntryForm entry={entry} id="code" label={texts.lookup_secret.label} takesFocus>
      <ActionButton type="submit" full words={texts.submit} isBusy={entry.isBusy} />
    </CodeEntryForm>
  )
}

const fields = { totp: 'totp_code', lookup_secret: 'lookup_secret' } as const

type Factor = keyof typeof fields
