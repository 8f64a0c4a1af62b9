import type { Context } from '../contract.ts'
import { messages } from '../ui/messages.ts'
import type { UiText } from '../wire/text.ts'

type Asked = { readonly refresh: boolean; readonly requested_aal: string }

/**
 * Whether a right password of an account without a proven address is answered like a wrong one. An attacker registers
 * with an address and signs in: another answer would tell that the address was free (SEC-13).
 */
export function hidesUnproven({ config }: Pick<Context, 'config'>, flow: Asked): boolean {
  const { password, hooks } = config.selfservice.flows.login.after
  const own = password?.hooks ?? []
  const required = (own.length > 0 ? own : hooks).some(({ hook }) => hook === 'require_verified_address')
  // A caller who confirms who they are has a session, so there is nothing to find out.
  return (
    required && config.security.account_enumeration.mitigate && !flow.refresh && flow.requested_aal === 'aal1'
  )
}

/** The refusal of a password, the same whatever is wrong. */
export function wrongCredentials(ctx: Pick<Context, 'config'>, flow: Asked): UiText {
  return hidesUnproven(ctx, flow) ? messages.invalidOrUnproven : messages.invalidCredentials
}
