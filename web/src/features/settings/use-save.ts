import type { SettingsFlow, UpdateSettingsFlowBody } from '@ory/client-fetch'
import { useLocation } from 'react-router'
import { useAuth } from '../../auth/use-auth.ts'
import { sentenceFor } from '../../flow/form-failure.ts'
import { fieldErrorTexts, formErrorTexts } from '../../flow/messages.ts'
import { UNREACHABLE_KEPT } from '../../flow/sentences.ts'
import type { Reply } from '../../flow/submit-flow.ts'
import type { UsedFlow } from '../../flow/use-flow.ts'

export type SettingsUse = UsedFlow<SettingsFlow, UpdateSettingsFlowBody>

const SAVING_FAILED = 'Your changes could not be saved.'

export type SaveResult =
  | { kind: 'saved' }
  /** The browser is on its way to where the person signs in, or confirms who they are. */
  | { kind: 'leaving' }
  | { kind: 'failed'; message: string; of: 'field' | 'form'; canRetry: boolean }

interface Saving {
  /** The field whose errors belong under it. */
  readonly field: string
  readonly build: (csrf_token: string) => UpdateSettingsFlowBody
  /** Says what to do instead of asking for the password. */
  readonly onConfirm?: (() => string) | undefined
}

/** Sends one change of the settings; never throws. */
export function useSave(settings: SettingsUse) {
  const { refetch } = useAuth()
  const { pathname } = useLocation()

  async function resultOf(reply: Reply<SettingsFlow>, { field, onConfirm }: Saving): Promise<SaveResult> {
    switch (reply.kind) {
      case 'form':
        return judge(reply.flow, field)
      case 'go':
        if (onConfirm) return failed(onConfirm())
        // What was sent is kept by the service, which carries it out when the person comes back.
        location.assign(reply.url)
        return { kind: 'leaving' }
      case 'sign-in':
        if (onConfirm) {
          await refetch()
          return failed('Please sign in again.')
        }
        // Begun anew, the page leads over the sign-in and back.
        location.assign(pathname)
        return { kind: 'leaving' }
      case 'unreachable':
        return { ...failed(UNREACHABLE_KEPT), canRetry: true }
      case 'refused':
        return failed(reply.reason ?? SAVING_FAILED)
      default:
        return failed(SAVING_FAILED)
    }
  }

  return async (saving: Saving): Promise<SaveResult> => {
    try {
      return await resultOf(await settings.submit({ build: saving.build }), saving)
    } catch (error) {
      return failed(sentenceFor(error, SAVING_FAILED))
    }
  }
}

function judge(flow: SettingsFlow, field: string): SaveResult {
  if (flow.state === 'success') return { kind: 'saved' }
  const message = fieldErrorTexts(flow, field)
  if (message) return { ...failed(message), of: 'field' }
  return failed(formErrorTexts(flow) ?? SAVING_FAILED)
}

function failed(message: string): SaveResult & { kind: 'failed' } {
  return { kind: 'failed', message, of: 'form', canRetry: false }
}
