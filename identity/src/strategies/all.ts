import type { Strategy } from '../contract.ts'
import { code } from './code/code.ts'
import { passkey } from './passkey/passkey.ts'
import { password } from './password/password.ts'
import { profile } from './profile/profile.ts'
import { webauthn } from './webauthn/webauthn.ts'

/** Every way to prove something, in the order in which they are asked and drawn. */
export const allStrategies: readonly Strategy[] = [password, profile, code, passkey, webauthn]
