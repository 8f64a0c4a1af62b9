import { randomBytes } from 'node:crypto'

export interface Target {
  readonly publicUrl: string
  /** Without it, scenarios that need the operator or an email are skipped. */
  readonly adminUrl?: string
  readonly adminToken?: string
}

export interface Scenario {
  readonly sentence: string
  readonly walk: (target: Target) => Promise<void>
}

/** Throws `Absent` to skip. */
export function scenario(sentence: string, walk: Scenario['walk']): Scenario {
  return { sentence, walk }
}

/** The scenario is skipped with a reason. */
export class Absent extends Error {}

export const PASSWORD = 'correct horse 9 battery'
export const NEW_PASSWORD = 'battery staple 7 horse'
/** Well-formed. */
export const UNKNOWN_ID = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'
export const SCREENS = 'http://app.test'

export function newEmail(): string {
  return `ada-${randomBytes(6).toString('hex')}@example.com`
}
