import type { Scenario } from '../target.ts'
import { attacks } from './attacks.ts'
import { code } from './code.ts'
import { health } from './health.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { operator } from './operator.ts'
import { pages } from './pages.ts'
import { passkeys } from './passkeys.ts'
import { recovery } from './recovery.ts'
import { registration } from './registration.ts'
import { secondFactors } from './second-factors.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { verification } from './verification.ts'

export const allScenarios: Readonly<Record<string, readonly Scenario[]>> = {
  health,
  registration,
  verification,
  login,
  code,
  passkeys,
  'second factors': secondFactors,
  recovery,
  settings,
  sessions,
  logout,
  pages,
  operator,
  attacks,
}
