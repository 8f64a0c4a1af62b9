import { FormError, ProtocolError } from '../../errors.ts'
import { messages } from '../../ui/messages.ts'
import type { ProviderConfig } from './providers/provider.ts'

/**
 * The provider did not do what it must: 502 `upstream_error`, with a sentence on how to go on. `why` is for the log
 * alone.
 */
export function unusable(config: ProviderConfig, why: string, cause?: unknown): ProtocolError {
  const name = config.label || config.id
  return new ProtocolError({
    id: 'upstream_error',
    status: 502,
    reason: `${name} could not be reached or gave no proper answer. Please try again in a minute, or sign in another way.`,
    cause: new Error(`${config.id}: ${why}`, { cause }),
  })
}

/** What the provider said of the person cannot be believed, or it said no. */
export function refusal(config: ProviderConfig, reason: string): FormError {
  return new FormError(messages.generic(`${config.label || config.id}: ${reason}`))
}

/** The response belongs to no authorization that this browser began. */
export function notOwnAuthorization(): ProtocolError {
  return new ProtocolError({
    status: 400,
    reason:
      'This sign-in began in another browser, was used already or is too old. Please start it again from here.',
  })
}
