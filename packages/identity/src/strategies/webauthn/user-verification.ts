import type { UserVerification } from '../../authenticators/options.ts'
import type { Context } from '../../contract/contract.ts'

/**
 * A second factor proves possession of the key; on its own it must also verify the user, unless the operator decides
 * otherwise.
 */
export function userVerification({ config }: Pick<Context, 'config'>, isAlone: boolean): UserVerification {
  const { authenticator_selection } = config.selfservice.methods.webauthn.config
  return authenticator_selection.user_verification ?? (isAlone ? 'required' : 'discouraged')
}
