import { CsrfTokenMissing } from './csrf-token.ts'

/** What a form says for an exception: the specification's CSRF sentence, or `otherwise`. */
export function sentenceFor(error: unknown, otherwise: string): string {
  if (error instanceof CsrfTokenMissing) return error.message
  console.error(error)
  return otherwise
}
