import assert from 'node:assert/strict'
import type { UiNode, UiText } from '../wire/wire.ts'
import type { Answer } from './answers.ts'

/** The secret that a settings form shows for an authenticator app to scan. */
export function secretIn(flow: Answer): string {
  return String(textIn(flow, 'totp_secret_key').context?.secret)
}

/** A text that a form shows under this id. */
export function textIn(flow: Answer, id: string): UiText {
  const nodes: UiNode[] = flow.body.ui.nodes
  const node = nodes.find(({ attributes }) => 'id' in attributes && attributes.id === id)
  assert.ok(node?.type === 'text', `the form shows no ${id}`)
  return node.attributes.text
}
