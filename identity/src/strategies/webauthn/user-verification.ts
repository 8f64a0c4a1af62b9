import type { UserVerification } from '../../authenticators/options.ts'
import type { Context } from '../../contract.ts'

/** A second factor shows that the key is there; alone it must show who holds it, unless the operator decides otherwise. */
export function userVerification({ config }: Pick<Context, 'config'>, is_alone: boolean): UserVerification {
  const { authenticator_selection } = config.selfservice.methods.webauthn.config
  return authenticator_selection.user_verification ?? (is_alone ? 'required' : 'discouraged')
}
