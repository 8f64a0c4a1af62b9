import assert from 'node:assert/strict'
import type { ContinueWith, UiNode, UiText } from '../wire/wire.ts'

/** `body` is parsed JSON or text. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly location: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look at bodies of every shape
  readonly body: any
}

/** A response that holds a form. */
export interface FlowAnswer extends Answer {
  readonly body: {
    readonly id: string
    readonly type: string
    readonly state: string
    readonly request_url: string
    readonly ui: { action: string; method: string; nodes: UiNode[]; messages?: UiText[] }
  }
}

export const JSON_BODY = { 'content-type': 'application/json' }

/** Reads the body. */
export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location') ?? undefined,
    body: isJson ? JSON.parse(text) : text,
  }
}

/** The CSRF token of a form. `submit` sends it for you. */
export function tokenOf(flow: FlowAnswer): unknown {
  return nodeOf(flow, 'csrf_token')?.value
}

/** The attributes of a form's field. */
export function nodeOf(flow: FlowAnswer, name: string): Record<string, unknown> | undefined {
  const node = flow.body.ui.nodes.find(({ attributes }) => 'name' in attributes && attributes.name === name)
  return node && ({ ...node.attributes } as Record<string, unknown>)
}

/** Ids of the messages above the form. */
export function messageIds(flow: Answer): number[] {
  return ((flow.body as FlowAnswer['body']).ui?.messages ?? []).map(({ id }) => id)
}

export function fieldMessageIds(flow: Answer, name: string): number[] {
  const nodes = (flow.body as FlowAnswer['body']).ui?.nodes ?? []
  return nodes
    .filter(({ attributes }) => 'name' in attributes && attributes.name === name)
    .flatMap(({ messages }) => messages.map(({ id }) => id))
}

export function verificationIn(answer: Answer): { id: string; url?: string } | undefined {
  const list: ContinueWith[] = answer.body.continue_with ?? answer.body.error?.details?.continue_with ?? []
  const item = list.find(({ action }) => action === 'show_verification_ui')
  return item?.action === 'show_verification_ui' ? item.flow : undefined
}

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
