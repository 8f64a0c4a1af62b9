import type { SettingsFlow, UpdateSettingsFlowBody } from '@ory/client-fetch'
import { type FormMessage, type Reply, settingsFlow, type UsedFlow, useAuth } from '@ostiary/react'
import { fieldErrorTexts, formErrorTexts, isSaved, otherFieldErrorTexts } from '@ostiary/react/internal'
import { useEffect, useState } from 'react'
import { failureOf, sentenceFor } from '../../flow/failures.ts'
import { useFlow } from '../../flow/use-flow.ts'
import { leaveFor } from '../../ui/browser.ts'
import { useConfirm } from './confirm.tsx'
import { accountTexts as texts } from './texts.ts'

/** The settings flow. Without a session the page redirects to the login. */
export function useSettings(): SettingsUse {
  const settings = useFlow(settingsFlow)
  const { refetch } = useAuth()
  const kind = settings.opened?.kind
  const hasNoSession = kind === 'sign-in' || kind === 'second-factor'
  useEffect(() => {
    if (hasNoSession) void refetch()
  }, [hasNoSession, refetch])
  return settings
}

export type SettingsUse = UsedFlow<SettingsFlow, UpdateSettingsFlowBody>

export type SaveResult =
  | { kind: 'saved'; flow: SettingsFlow }
  /** Nothing is stored yet. The form shows something first. */
  | { kind: 'shown'; flow: SettingsFlow }
  | { kind: 'cancelled' }
  /** The browser is leaving for another page. */
  | { kind: 'leaving' }
  | SaveFailure

export type SaveFailure =
  | { readonly kind: 'failed'; readonly of: 'field'; readonly message: string }
  | {
      readonly kind: 'failed'
      readonly of: 'form'
      readonly message: FormMessage
      readonly canRetry: boolean
      /** The session has ended. The page redirects to the login and back. */
      readonly isSignedOut?: true
    }

export interface Saving {
  readonly field: string
  readonly build: (csrf_token: string) => UpdateSettingsFlowBody
}

export function useSave(settings: SettingsUse) {
  const { refetch } = useAuth()
  const confirm = useConfirm()

  async function resultOf(reply: Reply<SettingsFlow>, saving: Saving, again: boolean): Promise<SaveResult> {
    switch (reply.kind) {
      case 'form':
        return checkReply(reply.flow, saving.field)
      case 'go':
        leaveFor(reply.url)
        return { kind: 'leaving' }
      case 'confirm': {
        // Retries once, to prevent a loop.
        const answer = !again && (await confirm(reply.url))
        if (typeof answer === 'string') return failed(answer)
        if (!answer) return { kind: 'cancelled' }
        return await resultOf(await settings.submit({ build: saving.build }), saving, true)
      }
      case 'sign-in':
      case 'second-factor':
        // Without a session the page redirects to the login and back.
        await refetch()
        return { ...failed(texts.sessionEnded), isSignedOut: true }
      default:
        return { kind: 'failed', of: 'form', ...failureOf(reply, texts.savingFailed) }
    }
  }

  return async (saving: Saving): Promise<SaveResult> => {
    try {
      return await resultOf(await settings.submit({ build: saving.build }), saving, false)
    } catch (error) {
      return failed(sentenceFor(error, texts.savingFailed))
    }
  }
}

function checkReply(flow: SettingsFlow, field: string): SaveResult {
  if (isSaved(flow)) return { kind: 'saved', flow }
  const message = fieldErrorTexts(flow, field)
  if (message) return { kind: 'failed', of: 'field', message }
  const refusal = formErrorTexts(flow) ?? otherFieldErrorTexts(flow, field)
  return refusal ? failed(refusal) : { kind: 'shown', flow }
}

function failed(message: FormMessage): SaveFailure & { of: 'form' } {
  return { kind: 'failed', message, of: 'form', canRetry: false }
}

/** Changes by single buttons: the busy one, and the last error. */
export function useChange<Name extends string>(settings: SettingsUse) {
  const save = useSave(settings)
  const [busy, setBusy] = useState<Name>()
  const [error, setError] = useState<FormMessage>()

  async function change(name: Name, saving: Saving): Promise<SaveResult> {
    setBusy(name)
    setError(undefined)
    const result = await save(saving)
    // While the browser leaves, the button stays busy.
    if (result.kind !== 'leaving') setBusy(undefined)
    if (result.kind === 'failed') setError(result.message)
    return result
  }

  return { change, busy, error }
}
