import { forgetPasskey, makePasskey, whyNoPasskey } from '../../flow/passkeys.ts'
import type { FormMessage } from '../../ui/form/form-error.tsx'
import { addPasskeyTexts as texts } from './texts.ts'
import type { SaveResult, useSave } from './use-settings.ts'

/** Why no passkey was added; undefined if one was. */
export type PasskeyProblem = { readonly error?: FormMessage; readonly notice?: string } | undefined

export interface PasskeyTerms {
  /** The passkeys that the account has already, as forms name them. */
  readonly own: readonly string[]
  /** Replaces the request for the password: returns what to tell the user. */
  readonly onConfirm?: (() => string) | undefined
}

/** Makes a passkey on this device, or on one beside it, and stores it. */
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
    // The device has stored a passkey that the account does not have.
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
