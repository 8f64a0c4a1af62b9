import type { Strategy } from '../contract.ts'
import { code } from './code/code.ts'
import { password } from './password/password.ts'
import { profile } from './profile/profile.ts'

/** Every way to prove something, in the order in which they are asked and drawn. */
export const allStrategies: readonly Strategy[] = [password, profile, code]
