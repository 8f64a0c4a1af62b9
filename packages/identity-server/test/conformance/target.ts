import { randomBytes } from 'node:crypto'

/** The service under test. URLs have no trailing slash. */
export interface Target {
  readonly publicUrl: string
  /** Without it, everything that needs the operator or an email is skipped. */
  readonly adminUrl?: string
  /** The operator's key, if the admin API requires one, as Ory Network does. */
  readonly adminToken?: string
}

/** A behavior that clients rely on, and its test. */
export interface Scenario {
  readonly sentence: string
  readonly walk: (target: Target) => Promise<void>
}

/** Throws on failure, or throws `Absent` to skip. */
export function scenario(sentence: string, walk: Scenario['walk']): Scenario {
  return { sentence, walk }
}

/** The service lacks the tested feature. The scenario is skipped with a reason. */
export class Absent extends Error {}

export const PASSWORD = 'correct horse 9 battery'
export const NEW_PASSWORD = 'battery staple 7 horse'
/** A well-formed id that no flow, session or identity has. */
export const UNKNOWN_ID = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'
/** Where the screens are, by the suite's configuration. */
export const SCREENS = 'http://app.test'

/** An unused address, so that a service can be tested repeatedly. */
export function newEmail(): string {
  return `ada-${randomBytes(6).toString('hex')}@example.com`
}
