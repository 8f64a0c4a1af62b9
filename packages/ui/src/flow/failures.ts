import type { AnyFlow, FlowHandle, FormMessage, SubmitResult } from '@ostiary/react'
import { CsrfTokenMissing, formTexts } from '@ostiary/react/internal'
import { failureTexts as texts } from '../texts/failures.ts'
import type { Retry } from '../ui/form/form-error.tsx'
import type { Failure } from '../ui/form/use-form.ts'

export function outageOf({ isUnreachable }: Pick<FlowHandle<AnyFlow>, 'isUnreachable'>) {
  if (!isUnreachable) return undefined
  return navigator.onLine ? texts.unreachable : texts.offline
}

/** The error before a submission: the flow cannot be opened, or has messages. */
export function flowErrorOf(used: FlowHandle<AnyFlow>, wasSubmitted: boolean): FormMessage | undefined {
  return outageOf(used) ?? (wasSubmitted || !used.flow ? undefined : formTexts(used.flow))
}

export function retryOf(
  form: { failure: Failure | undefined },
  used: Pick<FlowHandle<AnyFlow>, 'isUnreachable' | 'open'>,
): Retry {
  if (form.failure?.canRetry) return 'submit'
  return used.isUnreachable ? () => void used.open() : undefined
}

/** Undefined after a form or a redirect. The text is `failed` if the service gives no reason. */
export function failureOf(result: SubmitResult<AnyFlow>, failed: string): Failure | undefined {
  if (result.kind === 'unreachable')
    return { message: navigator.onLine ? texts.unreachableKept : texts.offline, canRetry: true }
  if (result.kind === 'refused') return { message: refusalText(result, failed), canRetry: false }
  // Even the new flow was refused, or the session has ended.
  const isLost = result.kind === 'restart' || result.kind === 'sign-in'
  return isLost ? { message: failed, canRetry: false } : undefined
}

/** The specification's CSRF sentence, or `failed`. */
function refusalText(
  { reason, cause }: SubmitResult<never> & { kind: 'refused' },
  failed: string,
): FormMessage {
  return cause instanceof CsrfTokenMissing ? texts.csrfTokenMissing : (reason ?? failed)
}
