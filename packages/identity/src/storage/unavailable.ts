import { ProtocolError } from '../errors/errors.ts'

/** 503: the database does not answer, or cannot write at this moment. */
export function unavailable(cause?: unknown): ProtocolError {
  return new ProtocolError({
    status: 503,
    retryAfter: 1,
    reason: 'The database is unavailable. Please try again.',
    cause,
  })
}
