import type { NodeGroup, UiNode } from '../wire/node.ts'
import { nodeName } from './nodes.ts'

/** 0 for groups that a form lacks. */
const POSITIONS: Readonly<
  Record<NodeGroup, readonly [login: number, registration: number, settings: number]>
> = {
  oidc: [1, 1, 4],
  default: [2, 2, 1],
  webauthn: [3, 3, 6],
  passkey: [4, 4, 7],
  code: [5, 5, 0],
  password: [6, 6, 3],
  totp: [7, 0, 8],
  lookup_secret: [8, 0, 5],
  profile: [0, 7, 2],
  link: [0, 0, 0],
  identifier_first: [0, 0, 0],
}
const [LOGIN, REGISTRATION, SETTINGS] = [0, 1, 2] as const
const BACKUP_CODES = ['lookup_secret_reveal', 'lookup_secret_regenerate', 'lookup_secret_codes']
const SECURITY_KEYS = ['webauthn_remove', 'webauthn_register_displayname', 'webauthn_register']

/** Kratos compatibility: clients show nodes in this order. */
export function sortLogin(nodes: readonly UiNode[]): UiNode[] {
  return sortNodes(nodes, LOGIN, ['csrf_token', 'identifier', 'password'])
}

/** `schemaKeys` are in schema order, such as `traits.email`. */
export function sortRegistration(nodes: readonly UiNode[], schemaKeys: readonly string[]): UiNode[] {
  const [first, others] = [schemaKeys.slice(0, 1), schemaKeys.slice(1)]
  return sortNodes(nodes, REGISTRATION, ['csrf_token', ...first, 'password', ...others, ...SECURITY_KEYS])
}

/** Verification and recovery keep the strategies' order. */
export function sortSettings(nodes: readonly UiNode[], schemaKeys: readonly string[]): UiNode[] {
  return sortNodes(nodes, SETTINGS, [...schemaKeys, ...BACKUP_CODES, ...SECURITY_KEYS, 'passkey_remove'])
}

function sortNodes(nodes: readonly UiNode[], kind: 0 | 1 | 2, keys: readonly string[]): UiNode[] {
  const byGroup = nodes.toSorted((a, b) => POSITIONS[a.group][kind] - POSITIONS[b.group][kind])
  return sortByInsertion(byGroup, (a, b) => areComparable(a.group, b.group) && compareKeys(a, b, keys) < 0)
}

/** As Go sorts up to 20 nodes. The order depends on the algorithm, because `areComparable` is not transitive. */
function sortByInsertion<T>(items: readonly T[], isBefore: (a: T, b: T) => boolean): T[] {
  const sorted: T[] = []
  for (const item of items) {
    const last = sorted.findLastIndex((other) => !isBefore(item, other))
    sorted.splice(last + 1, 0, item)
  }
  return sorted
}

/** Password nodes may be between traits. */
function areComparable(a: NodeGroup, b: NodeGroup): boolean {
  return a === b || (a === 'default' && b === 'password') || (a === 'password' && b === 'default')
}

function compareKeys(a: UiNode, b: UiNode, keys: readonly string[]): number {
  const difference = keyPosition(a, keys) - keyPosition(b, keys)
  if (difference !== 0) return difference
  const [one, other] = [printedValue(a), printedValue(b)]
  return one < other ? -1 : Number(one > other)
}

function keyPosition(node: UiNode, keys: readonly string[]): number {
  const name = nodeName(node)
  if (name === 'method') return keys.length + 1
  const position = keys.findIndex((key) => name.startsWith(key))
  return position === -1 ? keys.length : position
}

function printedValue(node: UiNode): string {
  const value = node.type === 'input' ? node.attributes.value : undefined
  // A browser's is random, an app's empty.
  if (nodeName(node) === 'csrf_token') return value ? 'csrf' : ''
  if (value === undefined || value === null) return '<nil>'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
