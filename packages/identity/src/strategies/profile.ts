import { lastRecipient } from '../codes/memo.ts'
import { type Context, type Strategy, type Submission, step } from '../contract/contract.ts'
import { FormError } from '../errors/errors.ts'
import { hasProof } from '../identities/addresses/proof.ts'
import { readObject, readText, readTraits } from '../identities/schema/decode.ts'
import { flowSchema } from '../identities/schema/schema.ts'
import { traitAt } from '../identities/schema/trait-at.ts'
import { deriveFromTraits, traitValues, unknownTraits } from '../identities/schema/traits.ts'
import type { Subject } from '../identities/subject.ts'
import type { Flow } from '../storage/flows/flows.ts'
import type { AddressChange } from '../storage/identities/address-changes.ts'
import { messages } from '../ui/messages.ts'
import { nodeName, submit, withMessages, withValue } from '../ui/nodes.ts'
import { ownMessages } from '../ui/own-messages.ts'
import { isTrait, traitNodes, traitValueNode } from '../ui/trait-nodes.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import type { UiNode } from '../wire/node.ts'

const registration = step('registration', {
  onFirstScreen: true,

  nodes(ctx, flow) {
    const button = flow.memo.second_screen
      ? submit('profile', 'previous', messages.registrationBack, 'screen')
      : submit('profile', 'profile', messages.registrationSubmit)
    return [...traitNodes(flowSchema(ctx.schemas, flow)), button]
  },

  claims: (_flow, values) => readText(values, 'screen') !== undefined || values.method === 'profile:back',

  parse(ctx, flow, values) {
    const screen = readText(values, 'screen') ?? (values.method === 'profile:back' ? 'previous' : FORWARD)
    if (screen !== 'previous' && screen !== FORWARD) {
      throw new FormError(messages.generic(`The screen must be previous or ${FORWARD}.`), 'screen')
    }
    return { screen, traits: readTraits(flowSchema(ctx.schemas, flow), values) }
  },

  async submit(ctx, flow, { screen, traits }, { transient_payload }) {
    const { active: _, ...rest } = flow
    const { second_screen: __, messages: ___, ...before } = lastRecipient.write(flow, undefined).memo
    const values = traitValues(flowSchema(ctx.schemas, flow), traits)
    const state = 'choose_method' as const
    if (screen === 'previous') return { kind: 'stay', flow: { ...rest, state, memo: { ...before, values } } }
    const memo = {
      ...before,
      values,
      second_screen: {},
      messages: [{ message: messages.registrationChooseCredential }],
    }
    return { kind: 'stay', flow: { ...rest, state, memo }, members: { transient_payload } }
  },
})

const FORWARD = 'credential-selection' as const

type SettingsInput = { readonly traits: JsonObject } | { readonly pending_address: 'cancel' | 'resend' }

/** Traits are submitted as a whole. */
const settings = step('settings', {
  whenDisabled: { named: true },
  nodes(ctx, flow, subject): readonly UiNode[] {
    const traits = subject?.identity.traits ?? {}
    const schema = flowSchema(ctx.schemas, flow)
    const { leaves } = schema
    const schemaNodes = traitNodes(schema, 'profile').flatMap((node) => {
      const leaf = leaves.find(({ path }) => path === nodeName(node))
      const value = leaf && traitAt(traits, leaf.steps)
      if (!leaf?.types.includes('array')) return [withValue(node, value)]
      const items = Array.isArray(value) ? value : []
      return [node, ...itemNodes(node, [...items, ...added(flow, leaf.path, items.length)])]
    })
    // Kratos compatibility: also shows what an earlier schema left.
    const unknown = Object.entries(unknownTraits(schema, traits))
    const fields = [...schemaNodes, ...unknown.map(([path, value]) => traitValueNode(path, value, 'profile'))]
    const waiting = subject?.pending_address
    const button = submit('profile', 'profile', messages.saveLabel)
    return waiting ? [...withPending(fields, waiting), button, ...pendingButtons()] : [...fields, button]
  },

  claims: (_flow, values) =>
    (values.method === undefined || values.method === 'profile') && actionIn(values) !== undefined,

  parse(ctx, flow, values, subject): SettingsInput {
    const action = actionIn(values)
    if (action) return { pending_address: action }
    const schema = flowSchema(ctx.schemas, flow)
    const traits = readTraits(schema, { ...disabledFields(ctx, flow, values, subject), ...values })
    // An empty submission would clear the account.
    if (!Object.keys(values).some(isTrait)) throw new FormError(messages.required('traits'), 'traits')
    return { traits }
  },

  privileged(ctx, flow, input, subject) {
    if ('pending_address' in input) return false
    // Kratos compatibility: apps confirm every change once an address is verified.
    if (flow.type === 'api' && subject && hasProof(subject.identity)) return true
    const schema = flowSchema(ctx.schemas, flow)
    const [before, after] = [
      deriveFromTraits(schema, subject?.identity.traits ?? {}),
      deriveFromTraits(schema, input.traits),
    ]
    return JSON.stringify(before) !== JSON.stringify(after)
  },

  async submit(_ctx, flow, input, { subject }) {
    // Kratos compatibility: web hooks get no payload.
    const completion = { method: 'profile' as const, transient_payload: {} }
    if ('traits' in input) return { kind: 'completed', flow, completion: { ...completion, change: input } }
    if (!subject?.pending_address) throw new FormError(ownMessages.noPendingAddress)
    return { kind: 'completed', flow, completion: { ...completion, change: {}, ...input } }
  },
})

function pendingButtons(): UiNode[] {
  return [
    submit('profile', 'resend', messages.resendCode, ACTION),
    submit('profile', 'cancel', ownMessages.cancelPendingAddress, ACTION),
  ]
}

const ACTION = 'pending_address'

function actionIn(values: Submission['values']): 'cancel' | 'resend' | undefined {
  const action = readText(values, ACTION)
  return action === 'cancel' || action === 'resend' ? action : undefined
}

function withPending(fields: readonly UiNode[], { trait, address, expires_at }: AddressChange): UiNode[] {
  const message = ownMessages.pendingAddress(address, expires_at)
  return fields.map((node) => (nodeName(node) === trait.join('.') ? withMessages(node, [message]) : node))
}

function itemNodes(list: UiNode, items: readonly Json[]): UiNode[] {
  return items.map((item, index) => traitValueNode(`${nodeName(list)}.${index}`, item, 'profile'))
}

function added({ memo }: Flow<'settings'>, path: string, stored: number): Json[] {
  const after: Json[] = []
  for (let index = stored; memo.values?.[`${path}.${index}`] !== undefined; index++) {
    after.push(memo.values[`${path}.${index}`] ?? null)
  }
  return after
}

/** Browsers do not submit disabled fields. */
function disabledFields(
  ctx: Context,
  flow: Flow<'settings'>,
  values: Submission['values'],
  subject: Subject | undefined,
): Record<string, Json> {
  const disabled = flowSchema(ctx.schemas, flow).leaves.filter((leaf) => leaf.disabled)
  if (disabled.length === 0) return {}
  const traits = subject?.identity.traits ?? {}
  const sentTraits = readObject(values, 'traits')
  return Object.fromEntries(
    disabled.flatMap(({ path, steps }) => {
      const value = traitAt(traits, steps)
      const missing = traitAt(sentTraits, steps) === undefined
      return missing && value !== undefined ? [[path, value]] : []
    }),
  )
}

export const profile: Strategy = {
  id: 'profile',
  group: 'profile',
  admin: undefined,
  enabled({ selfservice }, flow) {
    if (flow === 'registration') return selfservice.flows.registration.style === 'profile_first'
    return selfservice.methods.profile.enabled
  },
  steps: { registration, settings },
}
