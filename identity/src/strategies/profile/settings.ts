import type { Context, Submission } from '../../contract.ts'
import { step } from '../../contract.ts'
import { FormError } from '../../errors.ts'
import { decodeTraits, readObject } from '../../identities/decode.ts'
import { flowSchema } from '../../identities/schema.ts'
import { deriveFromTraits } from '../../identities/traits.ts'
import type { Flow } from '../../storage/flows.ts'
import { findIdentity } from '../../storage/identities.ts'
import { messages } from '../../ui/messages.ts'
import { nodeName, submit, withValue } from '../../ui/nodes.ts'
import { traitNodes, traitValueNode } from '../../ui/trait-nodes.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'

interface Input {
  readonly traits: JsonObject
}

/** Changing one's traits; all of them are sent, as a whole. Protocol 2, 3.3 and 3.6. */
export const settings = step<'settings', Input>('settings', {
  async nodes(ctx, flow): Promise<readonly UiNode[]> {
    const traits = await traitsOf(ctx, flow)
    const { leaves } = flowSchema(ctx.schemas, flow)
    const fields = traitNodes(flowSchema(ctx.schemas, flow), 'profile').flatMap((node) => {
      const leaf = leaves.find(({ path }) => path === nodeName(node))
      const value = leaf && valueAt(traits, leaf.steps.slice(1))
      if (!leaf?.types.includes('array')) return [withValue(node, value)]
      const items = Array.isArray(value) ? value : []
      return [node, ...itemNodes(node, [...items, ...added(flow, leaf.path, items.length)])]
    })
    return [...fields, submit('profile', 'profile', messages.saveLabel)]
  },

  async parse(ctx, flow, values) {
    const schema = flowSchema(ctx.schemas, flow)
    const { traits } = decodeTraits(schema, { ...(await disabledFields(ctx, flow, values)), ...values })
    readObject(values, 'transient_payload')
    const wrong = schema.validate(traits)
    if (wrong.length > 0) throw new FormError(wrong)
    // Nothing sent at all would empty the account.
    if (!Object.keys(values).some(isTrait)) throw new FormError(messages.required('traits'), 'traits')
    return { traits }
  },

  /** Only for what somebody signs in with or is reached by. */
  async privileged(ctx, flow, { traits }) {
    const schema = flowSchema(ctx.schemas, flow)
    const [before, after] = [
      deriveFromTraits(schema, await traitsOf(ctx, flow)),
      deriveFromTraits(schema, traits),
    ]
    return JSON.stringify(before) !== JSON.stringify(after)
  },

  async submit(_ctx, flow, { traits }) {
    return { kind: 'done', flow, done: { method: 'profile', change: { traits } } }
  },
})

/** What stands in a list: a field each, since the one of the list is for all of it. */
function itemNodes(list: UiNode, items: readonly Json[]): UiNode[] {
  return items.map((item, index) => traitValueNode(`${nodeName(list)}.${index}`, item, 'profile'))
}

/** Items of a refused form that the stored list has not. */
function added({ memo }: Flow<'settings'>, path: string, stored: number): Json[] {
  const after: Json[] = []
  for (let index = stored; memo.values?.[`${path}.${index}`] !== undefined; index++) {
    after.push(memo.values[`${path}.${index}`] ?? null)
  }
  return after
}

/** A browser sends no disabled fields: what stands in them stays, instead of being lost with every change. */
async function disabledFields(
  ctx: Context,
  flow: Flow<'settings'>,
  values: Submission['values'],
): Promise<Record<string, Json>> {
  const disabled = flowSchema(ctx.schemas, flow).leaves.filter((leaf) => leaf.disabled)
  if (disabled.length === 0) return {}
  const traits = await traitsOf(ctx, flow)
  const sent = readObject(values, 'traits')
  return Object.fromEntries(
    disabled.flatMap(({ path, steps }) => {
      const value = valueAt(traits, steps.slice(1))
      const missing = valueAt(sent, steps.slice(1)) === undefined
      return missing && value !== undefined ? [[path, value]] : []
    }),
  )
}

function isTrait(name: string): boolean {
  return name === 'traits' || name.startsWith('traits.')
}

async function traitsOf(ctx: Context, flow: Flow<'settings'>): Promise<JsonObject> {
  const identity = flow.identity_id === undefined ? undefined : await findIdentity(ctx.db, flow.identity_id)
  return identity?.traits ?? {}
}

function valueAt(value: Json | undefined, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, step) ? valueAt((value as JsonObject)[step], rest) : undefined
}
