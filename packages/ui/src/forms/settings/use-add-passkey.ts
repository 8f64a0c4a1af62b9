import type { SettingsFlow } from '@ory/client-fetch'
import { addPasskeyTexts as texts } from './texts.ts'
import { type SettingsFlowForm, useChange } from './use-settings.ts'

export function useAddPasskey(settings: SettingsFlowForm) {
  const { change, pending, error } = useChange(settings)
  const { passkeyProblem } = settings
  return {
    add: async () =>
      (await change({ method: 'passkey', field: 'passkey_settings_register' })).kind === 'saved',
    isBusy: pending !== undefined,
    error: passkeyProblem === 'failed' ? texts.failed : error,
    notice:
      passkeyProblem &&
      { cancelled: texts.cancelled, 'known-here': texts.isKnownHere, failed: undefined }[passkeyProblem],
  }
}

interface PasskeyLabel {
  readonly display_name?: string
  readonly added_at?: string
}

/** Ids are hexadecimal, as in the form. The last credential of an account cannot be removed. */
export function passkeyNodes({ ui }: SettingsFlow) {
  return ui.nodes.flatMap(({ attributes, meta }) => {
    if (attributes.node_type !== 'input' || attributes.name !== 'passkey_remove') return []
    const label: PasskeyLabel = meta.label?.context ?? {}
    return [{ ...label, id: String(attributes.value), isLast: attributes.disabled === true }]
  })
}
