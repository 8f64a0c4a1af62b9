import { randomBytes } from 'node:crypto'

/** The service under test. URLs have no trailing slash. */
export interface Target {
  readonly publicUrl: string
  /** Without it, everything that needs the operator or an email is skipped. */
  readonly adminUrl?: string
  /** The operator's key, where the admin API requires one, as Ory Network's does. */
  readonly adminToken?: string
}

/** One thing that a client can rely on, and the test of it. */
export interface Scenario {
  readonly sentence: string
  readonly walk: (target: Target) => Promise<void>
}

/** Fails by throwing, or ends as skipped by throwing `Absent`. */
export function scenario(sentence: string, walk: Scenario['walk']): Scenario {
  return { sentence, walk }
}

/** The service does not offer what a scenario is about: not a failure, but a reason to report. */
export class Absent extends Error {}

export const PASSWORD = 'correct horse 9 battery'
export const NEW_PASSWORD = 'battery staple 7 horse'
/** A well-formed id that no flow, session or identity has. */
export const UNKNOWN_ID = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'
/** Where the screens are, by the suite's configuration. */
export const SCREENS = 'http://app.test'

/** An unused address, so that a service may be tested again and again. */
export function newEmail(): string {
  return `ada-${randomBytes(6).toString('hex')}@example.com`
}
