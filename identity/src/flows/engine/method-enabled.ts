import type { Context } from '../../contract.ts'
import { ProtocolError } from '../../errors.ts'

/** Throws 400 where a flow keeps to a method that is switched off: its form could never be finished. */
export function assertMethodOn({ config }: Pick<Context, 'config'>, method: 'code' | 'link'): void {
  if (config.selfservice.methods[method].enabled) return
  throw new ProtocolError({
    status: 400,
    reason: 'This is not open at the moment: its method is switched off.',
  })
}
