import type { FormMessage } from '@ostiary/react'
import { forgetPasskey, makePasskey, whyNoPasskey } from '@ostiary/react/internal'
import { addPasskeyTexts as texts } from './texts.ts'
import type { SaveResult, useSave } from './use-settings.ts'

/** Undefined if a passkey was added. */
export type PasskeyProblem = { readonly error?: FormMessage; readonly notice?: string } | undefined

/** `known`: the passkeys of the account, hexadecimal as in forms. */
export async function addPasskey(
  save: ReturnType<typeof useSave>,
  question: string,
  known: readonly string[],
): Promise<PasskeyProblem> {
  try {
    const answer = await makePasskey(question, known)
    const result: SaveResult = await save({
      field: 'passkey_settings_register',
      build: (csrf_token) => ({ method: 'passkey', passkey_settings_register: answer, csrf_token }),
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
