import { randomBytes } from 'node:crypto'

/** The service that is looked at. Addresses have no slash at their end. */
export interface Target {
  readonly publicUrl: string
  /** Without it, everything that needs the operator or a mail is skipped. */
  readonly adminUrl?: string
  /** The operator's key, where the admin API asks for one, as Ory Network's does. */
  readonly adminToken?: string
}

/** One thing that a client can rely on, and the walk that shows it. */
export interface Scenario {
  readonly sentence: string
  readonly walk: (target: Target) => Promise<void>
}

/** Walks fail by throwing, or end as skipped by throwing `Absent`. */
export function scenario(sentence: string, walk: Scenario['walk']): Scenario {
  return { sentence, walk }
}

/** The service has not what a scenario is about: no fault of it, but a reason to say. */
export class Absent extends Error {}

export const PASSWORD = 'correct horse 9 battery'
export const NEW_PASSWORD = 'battery staple 7 horse'
/** A well-formed id that no flow, session or person has. */
export const NOBODY = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'
/** Where the screens are, by the suite's configuration. */
export const SCREENS = 'http://app.test'

/** An address that nobody had before, so that a service may be looked at again and again. */
export function newEmail(): string {
  return `ada-${randomBytes(6).toString('hex')}@example.com`
}
