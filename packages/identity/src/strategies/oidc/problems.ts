import { FormError, ProtocolError } from '../../errors/errors.ts'
import { messages } from '../../ui/messages.ts'
import { labelOf, type ProviderConfig } from './providers/provider.ts'

/** `why` is only logged. */
export function unusable(config: ProviderConfig, reason: string, cause?: unknown): ProtocolError {
  return new ProtocolError({
    id: 'upstream_error',
    status: 502,
    reason: `${labelOf(config)} could not be reached or sent an invalid response. Please try again in a minute.`,
    cause: new Error(`${config.id}: ${reason}`, { cause }),
  })
}

export function providerError(config: ProviderConfig, reason: string): FormError {
  return new FormError(messages.generic(`${labelOf(config)}: ${reason}`))
}

export function askedBefore(config: ProviderConfig): FormError {
  return providerError(config, 'It did not ask you to log in again. Please try again.')
}

export function notOwnAuthorization(): ProtocolError {
  return new ProtocolError({
    status: 400,
    reason: 'This login was started in another browser, was already used or has expired. Please start again.',
  })
}
