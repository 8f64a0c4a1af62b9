import type { Context, Submission } from '../../contract/contract.ts'

/** Equal for the same input to a form, including secrets. */
export function submissionMark(
  { secrets }: Pick<Context, 'secrets'>,
  flowId: string,
  { csrf_token: _, ...values }: Submission['values'],
): string {
  return secrets.mac('submission', JSON.stringify([flowId, values]))
}
