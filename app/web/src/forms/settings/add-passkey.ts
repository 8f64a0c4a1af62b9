import { forgetPasskey, makePasskey, whyNoPasskey } from '../../flow/passkeys.ts'
import type { FormMessage } from '../../ui/form/form-error.tsx'
import { addPasskeyTexts as texts } from './texts.ts'
import type { SaveResult, useSave } from './use-settings.ts'

/** Undefined if a passkey was added. */
export type PasskeyProblem = { readonly error?: FormMessage; readonly notice?: string } | undefined

export interface PasskeyTerms {
  /** The existing passkeys, named as in forms. */
  readonly own: readonly string[]
  /** Replaces the request for the password. Returns the message to show. */
  readonly onConfirm?: () => string
}

export async function addPasskey(
  save: ReturnType<typeof useSave>,
  question: string,
  { own, onConfirm }: PasskeyTerms,
): Promise<PasskeyProblem> {
  try {
    const answer = await makePasskey(question, own)
    const result: SaveResult = await save({
      field: 'passkey_settings_register',
      build: (csrf_token) => ({ method: 'passkey', passkey_settings_register: answer, csrf_token }),
      onConfirm,
    })
    if (result.kind === 'saved') return undefined
    // The device stored a passkey that the account does not have.
    await forgetPasskey(question, (JSON.parse(answer) as { id: string }).id)
    return result.kind === 'failed' ? { error: result.message } : {}
  } catch (thrown) {
    return explain(thrown)
  }
}

function explain(thrown: unknown): PasskeyProblem {
  const why = whyNoPasskey(thrown)
  if (why === 'cancelled') return { notice: texts.cancelled }
  if (why === 'known-here') return { notice: texts.isKnownHere }
  console.error(thrown)
  return { error: texts.failed }
}
