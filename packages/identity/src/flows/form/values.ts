import type { Context, Submission } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { decodeTraits } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { unknownTraits } from '../../identities/schema/traits.ts'
import { isObject, valueAt } from '../../input/json.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { isTypedText, nodeName } from '../../ui/nodes.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import type { InputNode } from '../../wire/node.ts'

type Values = Submission['values']

/** In characters. No honest form needs more. */
const KEPT = 8_192

/** Drops values beyond the limit, because submitting is free for clients (FLT-23). */
export function keptValues(
  previousValues: Readonly<Record<string, Json>> | undefined,
  next: Readonly<Record<string, Json>>,
): Record<string, Json> {
  let remaining = KEPT
  // Users see the newest values.
  const all = { ...next, ...previousValues, ...next }
  const keptEntries = Object.entries(all).filter(([name, value]) => {
    const size = name.length + JSON.stringify(value).length
    if (size > remaining) return false
    remaining -= size
    return true
  })
  return Object.fromEntries(keptEntries)
}

/** Omits passwords, codes and tokens. */
export function typedValues(ctx: Context, flow: Flow, values: Values): Record<string, Json> {
  const typed = clearedFields(ctx, flow, values)
  const sentValues = coerceValues(ctx, flow, values)
  Object.assign(typed, typedEntries(ctx, flow, sentValues), unknownEntries(ctx, flow, sentValues))
  const orphanFields = flow.memo.orphanFields ?? []
  for (const node of flow.ui.nodes ?? []) {
    if (node.type !== 'input' || !isTyped(ctx, node) || orphanFields.includes(node.attributes.name)) continue
    const { name } = node.attributes
    const value = name.startsWith('traits.')
      ? scalar(valueAt(sentValues, name))
      : shownValue(valueAt(values, name))
    if (value !== undefined) typed[name] = value
  }
  return flow.kind === 'login' ? withTypedIdentifier(ctx, flow, values, typed) : typed
}

/** Kratos compatibility: an omitted identifier empties its field, and the address of a code fills it. */
function withTypedIdentifier(
  { strategies }: Context,
  { ui }: Flow,
  values: Values,
  typedValues: Record<string, Json>,
): Record<string, Json> {
  const { address, identifier, password_identifier, method } = values
  if (method === undefined) return typedValues
  const { identifier: _, ...others } = typedValues
  const identifierNode = ui.nodes?.find((node) => nodeName(node) === 'identifier')
  const isLeft = strategies.some(({ group, leavesIdentifier }) => group === method && leavesIdentifier)
  const isFirstScreens = strategies.some(
    ({ group, steps }) => group === identifierNode?.group && steps.login?.onFirstScreen,
  )
  return !identifierNode || (isLeft && !isFirstScreens)
    ? others
    : { ...others, identifier: shownValue(address ?? identifier ?? password_identifier) ?? '' }
}

function typedEntries(ctx: Context, flow: Flow, sentValues: Values): Record<string, Json> {
  const lists = flowSchema(ctx.schemas, flow).leaves.filter(({ types }) => types.includes('array'))
  const entries = lists.flatMap(({ path }) => {
    const list = valueAt(sentValues, path)
    const shownEntries = Array.isArray(list) ? list.map(scalar) : []
    return shownEntries.flatMap((entry, index) =>
      entry === undefined ? [] : [[`${path}.${index}`, entry] as const],
    )
  })
  return Object.fromEntries(entries)
}

/** Kratos compatibility: in the settings, a trait outside the schema gets a field. */
function unknownEntries(ctx: Context, flow: Flow, { traits }: Values): Record<string, Json> {
  if (flow.kind !== 'settings' || !isObject(traits)) return {}
  return unknownTraits(flowSchema(ctx.schemas, flow), traits as JsonObject)
}

/** Fields that are not shown again. Strategies name their secrets. */
const ROUTING = new Set(['csrf_token', 'method', 'screen'])

/** Kratos compatibility: a second factor's field keeps no value. */
function clearedFields({ strategies }: Context, { ui }: Flow, values: Values): Record<string, Json> {
  const { secretFields = [] } = strategies.find(({ group }) => group === values.method) ?? {}
  const renderedNames = new Set(ui.nodes?.map(nodeName))
  const cleared = secretFields.filter(({ name, cleared }) => cleared && renderedNames.has(name))
  return Object.fromEntries(cleared.map(({ name }) => [name, null]))
}

function isTyped({ strategies }: Context, { attributes: { name, type } }: InputNode): boolean {
  if (ROUTING.has(name) || !isTypedText(type)) return false
  return !strategies.some(({ secretFields = [] }) => secretFields.some((field) => field.name === name))
}

/** Returns the values unchanged if they do not fit the schema. */
function coerceValues(ctx: Context, flow: Flow, values: Values): Values {
  try {
    return { traits: decodeTraits(flowSchema(ctx.schemas, flow), values) }
  } catch (error) {
    if (error instanceof FormError) return values
    throw error
  }
}

function scalar(value: unknown): Json | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined
}

function shownValue(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
