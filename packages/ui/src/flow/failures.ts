import type { AnyFlow, FormMessage, Reply, UsedFlow } from '@ostiary/react'
import { CsrfTokenMissing, formTexts } from '@ostiary/react/internal'
import { failureTexts as texts } from '../texts/failures.ts'
import type { Retry } from '../ui/form/form-error.tsx'
import type { Failure } from '../ui/form/use-form.ts'

/** Why the flow cannot be opened. */
export function outageOf({ isUnreachable }: Pick<UsedFlow<AnyFlow, never>, 'isUnreachable'>) {
  if (!isUnreachable) return undefined
  return navigator.onLine ? texts.unreachable : texts.offline
}

/** The error before a submission: the flow cannot be opened, or has messages. */
export function flowErrorOf(used: UsedFlow<AnyFlow, never>, wasSubmitted: boolean): FormMessage | undefined {
  return outageOf(used) ?? (wasSubmitted || !used.flow ? undefined : formTexts(used.flow))
}

export function retryOf(
  form: { failure: Failure | undefined },
  used: Pick<UsedFlow<AnyFlow, never>, 'isUnreachable' | 'open'>,
): Retry {
  if (form.failure?.canRetry) return 'submit'
  return used.isUnreachable ? () => void used.open() : undefined
}

/** The error of a form for a reply that leads nowhere else; `failed` if the service gives no reason. */
export function failureOf(reply: Reply<unknown>, failed: string): Failure {
  if (reply.kind === 'unreachable')
    return { message: navigator.onLine ? texts.unreachableKept : texts.offline, canRetry: true }
  return { message: (reply.kind === 'refused' && reply.reason) || failed, canRetry: false }
}

/** The specification's CSRF sentence, or `otherwise`. */
export function sentenceFor(error: unknown, otherwise: string): string {
  if (error instanceof CsrfTokenMissing) return texts.csrfTokenMissing
  console.error(error)
  return otherwise
}
