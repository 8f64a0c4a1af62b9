import type { SettingsFlow } from '@ory/client-fetch'
import {
  type Action,
  type FieldTexts,
  type FlowForm,
  type FormMessage,
  useAuth,
  useSettings,
} from '@ostiary/react'
import { fieldErrorTexts, formErrorTexts, isSaved, otherFieldErrorTexts } from '@ostiary/react/internal'
import { useState } from 'react'
import { failureOf } from '../../flow/failures.ts'
import { useFlowInUrl } from '../../flow/flow-in-url.ts'
import { useConfirm } from './confirm.tsx'
import { accountTexts as texts } from './texts.ts'

export type SettingsFlowForm = FlowForm<SettingsFlow>

/** The settings flow. Without a session the page redirects to the login. */
export function useAccountSettings(): SettingsFlowForm {
  const { refetch } = useAuth()
  return useSettings({
    ...useFlowInUrl(),
    onConfirm: useConfirm(),
    onNext: async ({ kind }) => {
      if (kind === 'sign-in' || kind === 'second-factor') await refetch()
    },
  })
}

export type SaveResult =
  | { kind: 'saved'; flow: SettingsFlow }
  /** Nothing is stored yet. The form shows something first. */
  | { kind: 'shown'; flow: SettingsFlow }
  | { kind: 'cancelled' }
  /** The browser is leaving for another page. */
  | { kind: 'leaving' }
  /** The session has ended. The page redirects to the login and back. */
  | { kind: 'signed-out'; message: string }
  | SaveFailure

export type SaveFailure =
  | { readonly kind: 'failed'; readonly of: 'field'; readonly message: string }
  | {
      readonly kind: 'failed'
      readonly of: 'form'
      readonly message: FormMessage
      readonly canRetry: boolean
    }

export interface Change extends Action {
  /** Whose errors belong to the change; default: the name of the action. */
  readonly field?: string
  readonly typed?: FieldTexts
}

export function useSave(settings: SettingsFlowForm) {
  return async ({ field, typed, ...action }: Change): Promise<SaveResult> => {
    if (field && action.method === 'profile' && (await isChangedElsewhere(settings, field)))
      return { kind: 'failed', of: 'field', message: texts.changedElsewhere }
    const result = await settings.submit(action, typed)
    switch (result.kind) {
      case 'form':
        return checkReply(result.flow, field ?? action.name)
      case 'redirect':
        return { kind: 'leaving' }
      case 'confirm':
      case 'no-passkey':
        return { kind: 'cancelled' }
      case 'sign-in':
      case 'second-factor':
        return { kind: 'signed-out', message: texts.sessionEnded }
      default:
        return { ...failed(texts.savingFailed), ...failureOf(result, texts.savingFailed) }
    }
  }
}

/** All traits are sent together, so another tab may have changed them since. The page then has the new ones. */
async function isChangedElsewhere({ flow, switchTo }: SettingsFlowForm, field: string): Promise<boolean> {
  if (!flow) return false
  const opened = await switchTo(flow.id).catch(() => undefined)
  if (opened?.kind !== 'flow') return false
  const [before, now] = [flow, opened.flow].map((one) => JSON.stringify(storedTrait(one, field)))
  return before !== now
}

/** With the value of the account: the node of a refused change has what was typed. */
export function storedTrait({ identity }: SettingsFlow, name: string): unknown {
  const steps = name.split('.').slice(1)
  return steps.reduce<unknown>(
    (part, step) => (part as Record<string, unknown> | undefined)?.[step],
    identity.traits,
  )
}

function checkReply(flow: SettingsFlow, field = ''): SaveResult {
  if (isSaved(flow)) return { kind: 'saved', flow }
  const message = fieldErrorTexts(flow, field)
  if (message) return { kind: 'failed', of: 'field', message }
  const refusal = formErrorTexts(flow) ?? otherFieldErrorTexts(flow, field)
  return refusal ? failed(refusal) : { kind: 'shown', flow }
}

function failed(message: FormMessage): SaveFailure & { of: 'form' } {
  return { kind: 'failed', message, of: 'form', canRetry: false }
}

/** Changes by single buttons: the one that is sent, and the last error. */
export function useChange(settings: SettingsFlowForm) {
  const save = useSave(settings)
  const [pending, setPending] = useState<Change>()
  const [error, setError] = useState<FormMessage>()

  async function change(next: Change): Promise<SaveResult> {
    setPending(next)
    setError(undefined)
    const result = await save(next)
    // While the browser leaves, the button stays busy.
    if (result.kind !== 'leaving') setPending(undefined)
    if (result.kind === 'failed' || result.kind === 'signed-out') setError(result.message)
    return result
  }

  return { change, pending, error }
}
