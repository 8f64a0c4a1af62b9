import { UNREACHABLE } from '../flow/sentences.ts'
import { FormError } from '../ui/form-error.tsx'
import { usePageTitle } from '../ui/page.tsx'

interface WaitingProps {
  title: string
  isUnreachable: boolean
  onRetry(): void
}

/** In place of the form while its flow arrives. */
export function Waiting({ title, isUnreachable, onRetry }: WaitingProps) {
  usePageTitle(title)
  return <FormError retry={onRetry}>{isUnreachable ? UNREACHABLE : undefined}</FormError>
}
