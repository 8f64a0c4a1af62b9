import type { Strategy } from '../contract/contract.ts'
import { code } from './code/code.ts'
import { identifierFirst } from './identifier-first.ts'
import { link } from './link.ts'
import { lookupSecret } from './lookup-secret.ts'
import { oidc } from './oidc/oidc.ts'
import { passkey } from './passkey/passkey.ts'
import { password } from './password/password.ts'
import { profile } from './profile.ts'
import { totp } from './totp.ts'
import { webauthn } from './webauthn/webauthn.ts'

export const allStrategies: readonly Strategy[] = [
  profile,
  password,
  oidc,
  code,
  link,
  totp,
  passkey,
  webauthn,
  lookupSecret,
  identifierFirst,
]
