import type { NodeGroup, UiNode } from '../wire/node.ts'
import { nodeName } from './nodes.ts'

type Less = (a: UiNode, b: UiNode) => boolean

const BLOCK = 20

const LOGIN_GROUPS: readonly NodeGroup[] = [
  'oidc',
  'default',
  'webauthn',
  'passkey',
  'code',
  'password',
  'totp',
  'lookup_secret',
]
const REGISTRATION_GROUPS: readonly NodeGroup[] = [
  'oidc',
  'default',
  'webauthn',
  'passkey',
  'code',
  'password',
  'profile',
]
const SETTINGS_GROUPS: readonly NodeGroup[] = [
  'default',
  'profile',
  'password',
  'oidc',
  'lookup_secret',
  'webauthn',
  'passkey',
  'totp',
]
const SECURITY_KEYS = ['webauthn_remove', 'webauthn_register_displayname', 'webauthn_register']

/** Kratos compatibility: clients show nodes in the order of the response. */
export function sortLogin(nodes: readonly UiNode[]): UiNode[] {
  return sortNodes(nodes, LOGIN_GROUPS, ['csrf_token', 'identifier', 'password'])
}

/** `schemaKeys` are the traits in schema order, such as `traits.email`. */
export function sortRegistration(nodes: readonly UiNode[], schemaKeys: readonly string[]): UiNode[] {
  const [first, others] = [schemaKeys.slice(0, 1), schemaKeys.slice(1)]
  return sortNodes(nodes, REGISTRATION_GROUPS, [
    'csrf_token',
    ...first,
    'password',
    ...others,
    ...SECURITY_KEYS,
  ])
}

/** The order of the settings form. Verification and recovery keep the order of the strategies. */
export function sortSettings(nodes: readonly UiNode[], schemaKeys: readonly string[]): UiNode[] {
  return sortNodes(nodes, SETTINGS_GROUPS, [...schemaKeys, ...SECURITY_KEYS, 'passkey_remove'])
}

function sortNodes(
  nodes: readonly UiNode[],
  groups: readonly NodeGroup[],
  keys: readonly string[],
): UiNode[] {
  const byGroup: Less = (a, b) => groups.indexOf(a.group) < groups.indexOf(b.group)
  return sortStable(sortStable(nodes, byGroup), byKey(keys))
}

function byKey(keys: readonly string[]): Less {
  return (a, b) => {
    if (!areComparable(a.group, b.group)) return false
    const difference = keyPosition(a, keys) - keyPosition(b, keys)
    return difference === 0 ? printedValue(a) < printedValue(b) : difference < 0
  }
}

/** Password nodes may be sorted between traits; other groups stay together. */
function areComparable(a: NodeGroup, b: NodeGroup): boolean {
  return a === b || (a === 'default' && b === 'password') || (a === 'password' && b === 'default')
}

function keyPosition(node: UiNode, keys: readonly string[]): number {
  const name = nodeName(node)
  if (name === 'method') return keys.length + 1
  const position = keys.findIndex((key) => name.startsWith(key))
  return position === -1 ? keys.length : position
}

function printedValue(node: UiNode): string {
  const value = node.type === 'input' ? node.attributes.value : undefined
  if (value === undefined || value === null) return '<nil>'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Go's stable sort: insertion sort of blocks of 20, then in-place merges (SymMerge by Kim and Kutzner). `byKey` is not
 * transitive, so the result depends on which pairs are compared, and `Array.prototype.sort` compares other pairs.
 */
function sortStable(nodes: readonly UiNode[], less: Less): UiNode[] {
  let blocks: UiNode[][] = []
  for (let start = 0; start < nodes.length; start += BLOCK) {
    blocks.push(insertionSort(nodes.slice(start, start + BLOCK), less))
  }
  while (blocks.length > 1) {
    blocks = inPairs(blocks).map(([left = [], right = []]) => symMerge(left, right, less))
  }
  return blocks[0] ?? []
}

function inPairs<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / 2) }, (_, index) =>
    items.slice(2 * index, 2 * index + 2),
  )
}

function insertionSort(nodes: readonly UiNode[], less: Less): UiNode[] {
  const sorted: UiNode[] = []
  for (const node of nodes) {
    const after = sorted.findLastIndex((other) => !less(node, other))
    sorted.splice(after + 1, 0, node)
  }
  return sorted
}

function symMerge(left: readonly UiNode[], right: readonly UiNode[], less: Less): UiNode[] {
  const [firstLeft] = left
  const [firstRight] = right
  if (firstLeft === undefined || firstRight === undefined) return [...left, ...right]
  if (left.length === 1) {
    const at = firstIndex(0, right.length, (index) => !isLess(right[index], firstLeft, less))
    return right.toSpliced(at, 0, firstLeft)
  }
  if (right.length === 1) {
    const at = firstIndex(0, left.length, (index) => isLess(firstRight, left[index], less))
    return left.toSpliced(at, 0, firstRight)
  }
  return mergeAroundMiddle(left, right, less)
}

/** Swaps the tail of `left` that belongs into the second half with the head of `right` that belongs into the first. */
function mergeAroundMiddle(left: readonly UiNode[], right: readonly UiNode[], less: Less): UiNode[] {
  const all = [...left, ...right]
  const middle = all.length >> 1
  const from = Math.max(0, middle - right.length)
  const to = Math.min(left.length, middle)
  const mirror = middle + left.length
  const cut = firstIndex(from, to, (index) => isLess(all[mirror - 1 - index], all[index], less))
  const end = mirror - cut
  return [
    ...symMerge(left.slice(0, cut), all.slice(left.length, end), less),
    ...symMerge(left.slice(cut), all.slice(end), less),
  ]
}

function isLess(a: UiNode | undefined, b: UiNode | undefined, less: Less): boolean {
  return a !== undefined && b !== undefined && less(a, b)
}

/** Binary search for the first index that satisfies `holds`; returns `to` if there is none. */
function firstIndex(from: number, to: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
