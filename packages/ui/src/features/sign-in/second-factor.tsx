import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import { fieldErrorTexts, findInput, formErrorTexts, type Reply } from '@ostiary/react/flows'
import { useEffect, useState } from 'react'
import { Navigate, useNavigate } from 'react-router'
import { useAlreadySignedIn } from '../../auth/visitors-only.tsx'
import { failureOf, sentenceFor } from '../../flow/failures.ts'
import { useOnward } from '../../flow/onward.tsx'
import { sixDigits } from '../../flow/rules.ts'
import { useFollow } from '../../forms/credentials/use-entry.ts'
import * as paths from '../../paths.ts'
import { failureTexts } from '../../texts/failures.ts'
import { ActionButton } from '../../ui/button.tsx'
import { CodeField, Field } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { PageIntro, usePageTitle } from '../../ui/page.tsx'
import { secondFactorTexts as texts } from './texts.ts'
import { type LoginUse, useContinueFlow } from './use-sign-in.ts'

export function SecondFactor({ login }: { login: LoginUse }) {
  const { opened, flow, isUnreachable, open } = login
  const onward = useOnward()
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
  const onward = useOnward()
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
  return findInput(flow, proofs[factor].field) !== undefined
}

function FactorForm({ login, factor }: { login: LoginUse; factor: Factor }) {
  const { field, rule } = proofs[factor]
  const { label } = texts[factor]
  const form = useForm(z.object({ code: rule }))
  const finish = useContinueFlow(login)
  const follow = useFollow()
  usePageTitle(texts.title)

  function refuse(flow: LoginFlow) {
    const ofForm = formErrorTexts(flow) ?? texts.failed
    // A rate limit concerns the form. The code was not checked.
    if (typeof ofForm !== 'string') form.fail(ofForm)
    else form.refuse({ code: fieldErrorTexts(flow, field) ?? ofForm })
  }

  async function act(reply: Reply<LoginFlow>): Promise<void> {
    if (reply.kind === 'done' || reply.kind === 'already-signed-in') {
      return await finish([])
    }
    if (reply.kind === 'form') return refuse(reply.flow)
    if (await follow(reply)) return
    // If the session has ended, the first step is next.
    if (reply.kind === 'sign-in') await login.open()
    const { message, canRetry } = failureOf(reply, texts.failed)
    form.fail(message, canRetry)
  }

  async function send({ code }: { code: string }) {
    const build = (csrf_token: string) =>
      ({ method: factor, [field]: code, csrf_token }) as unknown as UpdateLoginFlowBody
    try {
      await act(await login.submit({ build }))
    } catch (error) {
      form.fail(sentenceFor(error, texts.failed))
    }
  }

  const common = { ...form.field('code'), id: 'code', autoFocus: true }
  return (
    <form {...form.props(send)} className="grid gap-5">
      {factor === 'totp' ? (
        <CodeField {...common} submits={rule} />
      ) : (
        <Field {...common} label={label} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      )}
      <FormError retry={form.failure?.canRetry ? 'submit' : undefined}>{form.failure?.message}</FormError>
      <ActionButton type="submit" full words={texts.submit} isBusy={form.isSubmitting} />
    </form>
  )
}

export type Factor = 'totp' | 'lookup_secret'

interface Proof {
  readonly field: string
  readonly rule: z.ZodMiniType<string>
}

const proofs: Record<Factor, Proof> = {
  totp: { field: 'totp_code', rule: sixDigits },
  lookup_secret: {
    field: 'lookup_secret',
    rule: z.string().check(z.trim(), z.minLength(1, { error: () => texts.lookup_secret.empty })),
  },
}
