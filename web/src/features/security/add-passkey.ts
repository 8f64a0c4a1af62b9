import type { SaveResult, useSave } from '../../account/use-save.ts'
import { forgetPasskey, makePasskey, whyNoPasskey } from '../../flow/passkeys.ts'
import { openedTexts } from '../../texts/security-opened.ts'

const texts = openedTexts.passkey

/** Nothing, where one was added; else what is to be said. */
export type PasskeyProblem = { readonly error?: string; readonly notice?: string } | undefined

/** Makes a passkey on this device, or on one beside it, and stores it; `own` are the ids of those that the account has. */
export async function addPasskey(
  save: ReturnType<typeof useSave>,
  question: string,
  own: readonly string[],
): Promise<PasskeyProblem> {
  try {
    const answer = await makePasskey(question, own)
    const result: SaveResult = await save({
      field: 'passkey_settings_register',
      build: (csrf_token) => ({ method: 'passkey', passkey_settings_register: answer, csrf_token }),
    })
    if (result.kind === 'saved') return undefined
    // The device holds a passkey that the account does not know.
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
