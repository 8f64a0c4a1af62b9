import {
  type AnyFlow,
  CsrfTokenMissing,
  type FormMessage,
  formTexts,
  type Reply,
  type UsedFlow,
} from '@ostiary/react'
import type { Retry } from '../ui/form/form-error.tsx'
import type { Failure } from '../ui/form/use-form.ts'

/** The error before a submission: the flow cannot be opened, or has messages. */
export function flowErrorOf(used: UsedFlow<AnyFlow, never>, wasSubmitted: boolean): FormMessage | undefined {
  if (used.isUnreachable) return UNREACHABLE
  return wasSubmitted || !used.flow ? undefined : formTexts(used.flow)
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
  if (reply.kind === 'unreachable') return { message: UNREACHABLE_KEPT, canRetry: true }
  return { message: (reply.kind === 'refused' && reply.reason) || failed, canRetry: false }
}

/** The specification's CSRF sentence, or `otherwise`. */
export function sentenceFor(error: unknown, otherwise: string): string {
  if (error instanceof CsrfTokenMissing) return error.message
  console.error(error)
  return otherwise
}

/** No response, or a 5xx. */
export const UNREACHABLE = 'We can’t reach the login service right now.'
const UNREACHABLE_KEPT = `${UNREACHABLE} Your entries are saved.`
/** The flow had expired or belongs to another browser. */
export const RENEWED = 'That page had expired or was opened in another browser. Here is a new one.'
