import { useEffect, useEffectEvent, useState } from 'react'
import type { AnyFlow } from '../flow/kinds.ts'
import * as messageIds from '../flow/message-ids.ts'
import { findMessage } from '../flow/messages.ts'
import {
  findPasskeyCreationOptions,
  findPasskeyRequestOptions,
  passkeyNameField,
} from '../flow/passkey-options.ts'
import {
  authenticateWithPasskey,
  awaitPasskeyAutofill,
  classifyPasskeyError,
  createPasskey,
  credentialIdOf,
  findAutofillField,
  signalUnknownPasskey,
} from '../flow/passkeys.ts'
import type { Reply } from '../flow/submit-flow.ts'
import type { FieldTexts } from '../flow/traits.ts'
import { type Action, opensPasskeyDialog, valuesOf } from './groups.ts'

/** `cancelled`: the user closed the dialog. `known-here`: this device has one already. */
export type PasskeyProblem = 'cancelled' | 'known-here' | 'failed'

export interface PasskeyField {
  /** The field for the answer. */
  readonly name: string
  /** The flow adds a passkey. Otherwise it asks for one. */
  readonly isNew: boolean
}

export interface PasskeyAnswer {
  /** For the body. */
  readonly fields: object
  /** Removes a passkey from the device that the service does not have. */
  settle(reply: Reply<AnyFlow>, isStored: boolean): Promise<void>
}

const NONE: PasskeyAnswer = { fields: {}, settle: async () => undefined }

/** Opens the dialog of the browser for the actions that need it. */
export function usePasskeys(field: PasskeyField | undefined) {
  const [problem, setProblem] = useState<PasskeyProblem>()
  const [failures, setFailures] = useState(0)

  /** The part of the body that is not typed. Undefined if the dialog was closed or failed. */
  async function prove(flow: AnyFlow, action: Action, texts: FieldTexts): Promise<PasskeyAnswer | undefined> {
    setProblem(undefined)
    try {
      return field ? await answerFor(flow, field, action, texts) : NONE
    } catch (error) {
      const why = classifyPasskeyError(error)
      if (!why) console.error(error)
      setProblem(why ?? 'failed')
      setFailures((count) => count + 1)
      return undefined
    }
  }

  return { problem, failures, prove }
}

async function answerFor(
  flow: AnyFlow,
  field: PasskeyField,
  action: Action,
  texts: FieldTexts,
): Promise<PasskeyAnswer> {
  if (action.name === 'passkey_remove') return removalAnswer(flow, action.value ?? '')
  if (!opensPasskeyDialog(action)) return NONE
  return await (field.isNew ? proveNew(flow, field, texts) : proveKnown(flow, field))
}

/** Offers passkeys in the field with `autocomplete="username webauthn"`. */
export function usePasskeySuggestion(
  flow: AnyFlow | undefined,
  field: PasskeyField | undefined,
  failures: number,
  send: (answer: PasskeyAnswer, typed: FormData | FieldTexts) => Promise<unknown>,
): void {
  const options = field && !field.isNew ? findPasskeyRequestOptions(flow) : undefined
  const sendChosen = useEffectEvent((passkey: string) => {
    const form = findAutofillField()?.form
    if (field && options) void send(loginAnswer(field, options, passkey), form ? new FormData(form) : {})
  })
  // A dialog ends the suggestion. After it, the next one begins.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more after each dialog
  useEffect(() => {
    if (options === undefined) return
    const page = new AbortController()
    void awaitPasskeyAutofill(options, page.signal).then((passkey) =>
      passkey ? sendChosen(passkey) : undefined,
    )
    return () => page.abort()
  }, [options, failures])
}

async function proveKnown(flow: AnyFlow, field: PasskeyField): Promise<PasskeyAnswer> {
  const options = requireOptions(findPasskeyRequestOptions(flow))
  return loginAnswer(field, options, await authenticateWithPasskey(options))
}

function loginAnswer({ name }: PasskeyField, options: string, passkey: string): PasskeyAnswer {
  return {
    fields: { [name]: passkey },
    async settle(reply) {
      const isUnknown = reply.kind === 'form' && findMessage(reply.flow, messageIds.unknownPasskey)
      if (isUnknown) await signalUnknownPasskey(options, idOf(passkey))
    },
  }
}

async function proveNew(flow: AnyFlow, { name }: PasskeyField, texts: FieldTexts): Promise<PasskeyAnswer> {
  const options = requireOptions(findPasskeyCreationOptions(flow))
  const userName = texts[passkeyNameField(flow) ?? '']
  const passkey = await createPasskey(options, valuesOf(flow, 'passkey_remove'), userName)
  return {
    fields: { [name]: passkey },
    async settle(reply, isStored) {
      // Without an answer, the service may have stored it.
      if (reply.kind !== 'unreachable' && !isStored) await signalUnknownPasskey(options, idOf(passkey))
    },
  }
}

function removalAnswer(flow: AnyFlow, id: string): PasskeyAnswer {
  const options = findPasskeyCreationOptions(flow)
  return {
    fields: {},
    async settle(_, isStored) {
      if (isStored && options) await signalUnknownPasskey(options, credentialIdOf(id))
    },
  }
}

function requireOptions(options: string | undefined): string {
  if (options === undefined) throw new Error('This form or this browser has no passkeys')
  return options
}

function idOf(passkey: string): string {
  return (JSON.parse(passkey) as { id: string }).id
}
