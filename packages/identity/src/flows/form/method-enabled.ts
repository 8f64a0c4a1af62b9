import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'

type Use = Context['config']['selfservice']['flows']['recovery']['use']

/** Throws 400 if the flow's only method is disabled: the form could never be finished. */
export function assertMethodEnabled({ config }: Pick<Context, 'config'>, method: Use): void {
  if (config.selfservice.methods[method].enabled) return
  throw new ProtocolError({
    status: 400,
    reason: 'The method of this flow is disabled. Contact support.',
  })
}
