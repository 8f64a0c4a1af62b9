import type { Retry } from '../ui/form-error.tsx'
import type { Failure } from '../ui/use-form.ts'
import type { FormMessage } from '../ui/wait.tsx'
import type { AnyFlow } from './kinds.ts'
import { formTexts } from './messages.ts'
import { UNREACHABLE } from './sentences.ts'
import type { UsedFlow } from './use-flow.ts'

/** The error to show before anything was sent: the flow cannot be opened, or has messages already. */
export function flowErrorOf(used: UsedFlow<AnyFlow, never>, wasSubmitted: boolean): FormMessage | undefined {
  if (used.isUnreachable) return UNREACHABLE
  return wasSubmitted || !used.flow ? undefined : formTexts(used.flow)
}

/** How to try again: submit once more, or open the flow once more. */
export function retryOf(
  form: { failure: Failure | undefined },
  used: Pick<UsedFlow<AnyFlow, never>, 'isUnreachable' | 'open'>,
): Retry {
  if (form.failure?.canRetry) return 'submit'
  return used.isUnreachable ? () => void used.open() : undefined
}
