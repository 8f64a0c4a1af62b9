import { CsrfTokenMissing } from './csrf-token.ts'

/** What a form says for an exception: the csrf sentence as it is, anything else in the form's own words. */
export function sentenceFor(error: unknown, otherwise: string): string {
  if (error instanceof CsrfTokenMissing) return error.message
  console.error(error)
  return otherwise
}
