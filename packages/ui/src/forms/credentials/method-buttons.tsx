import type { PasskeyProblem } from '@ostiary/react'
import { lastMethod } from '@ostiary/react/internal'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Provider, ProviderMark } from '../../flow/providers.tsx'
import { useHydrated } from '../../ui/browser.ts'
import { Button } from '../../ui/button.tsx'
import { Divider } from '../../ui/form/form-parts.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { entryTexts as texts } from './texts.ts'
import type { CredentialsSubmit } from './use-credentials-submit.ts'

interface ProviderButtonsProps {
  submission: Pick<CredentialsSubmit, 'busy' | 'start'>
  verb: string
  offered: readonly Provider[]
  alone?: boolean
  /** The passkey button. */
  children?: ReactNode
  last?: ReactNode
}

export function ProviderButtons({
  submission,
  verb,
  offered,
  alone = false,
  ...props
}: ProviderButtonsProps) {
  const isShort = offered.length > MOST_LINES
  // The prerendered page has the providers of the demo.
  const visibility = useHydrated() ? '' : 'not-offered:hidden'
  return (
    <div className="grid grid-cols-1 gap-3 not-has-[button,p]:hidden">
      {!alone && <Divider>{texts.or}</Divider>}
      {props.children}
      {offered.length > 0 && (
        <div
          className={`grid gap-3 ${visibility} ${isShort ? 'grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] *:last:odd:col-span-full' : ''}`}
        >
          {offered.map(({ id, label }) => (
            <Button
              key={id}
              look="neutral"
              full
              busy={submission.busy === id ? texts.wait : undefined}
              onClick={() => void submission.start({ id, label })}
              aria-describedby={`last-${id}`}
              aria-label={isShort && submission.busy !== id ? texts.by(verb, label) : undefined}
            >
              <ProviderMark id={id} />
              <MethodLabel method={id}>{isShort ? label : texts.by(verb, label)}</MethodLabel>
            </Button>
          ))}
        </div>
      )}
      {props.last}
    </div>
  )
}

/** More providers than these share lines, with their names only. */
const MOST_LINES = 3

interface PasskeyMethodProps {
  problem: PasskeyProblem | undefined
  words: readonly [string, string]
  why: { readonly cancelled: string; readonly failed: string }
  /** For a login. */
  method?: 'passkey'
  run(): Promise<unknown>
}

export function PasskeyMethod({ problem, words, why, method, run }: PasskeyMethodProps) {
  const { mutate, isPending } = useMutation({ mutationFn: run })
  const notice = problem && (problem === 'cancelled' ? why.cancelled : why.failed)
  return (
    <div className="grid gap-2">
      <Button
        look="neutral"
        full
        busy={isPending ? words[1] : undefined}
        onClick={() => mutate()}
        aria-describedby={method && 'last-passkey'}
      >
        <PasskeyIcon />
        <MethodLabel method={method}>{words[0]}</MethodLabel>
      </Button>
      <p role="status" className={notice ? 'text-14 text-muted' : 'sr-only'}>
        {notice}
      </p>
    </div>
  )
}

interface MethodLabelProps {
  /** Undefined for a registration. */
  method: string | undefined
  children: ReactNode
}

/** Marks the last login method. Its button refers to it by `aria-describedby`, so that its name stays the same. */
export function MethodLabel({ method, children }: MethodLabelProps) {
  const last = useHydrated() ? lastMethod() : undefined
  return (
    <>
      <span className="min-w-0">{children}</span>
      {last === method && method && (
        // On the edge, so that the button keeps its size.
        <span
          id={`last-${method}`}
          aria-hidden="true"
          className="absolute top-0 end-3 -translate-y-1/2 rounded-small border border-edge bg-surface px-1.5 text-14 leading-tight font-normal text-muted"
        >
          {texts.lastUsed}
        </span>
      )}
    </>
  )
}
