import type { UiNode } from '@ory/client-fetch'
import { findInput } from './inputs.ts'

/** Its message is the specification's; forms show it as it is. */
export class CsrfTokenMissing extends Error {
  override name = 'CsrfTokenMissing'
  constructor() {
    super('CSRF token could not be found in the UI nodes')
  }
}

/** The token that every submission of a browser flow carries. */
export function getCsrfToken(flow: { ui: { nodes: UiNode[] } }): string {
  const token = findInput(flow, 'csrf_token')?.value
  if (typeof token !== 'string') throw new CsrfTokenMissing()
  return token
}
