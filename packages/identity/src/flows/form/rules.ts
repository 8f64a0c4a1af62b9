import { mustEnterAddress } from '../../codes/memo.ts'
import { HookRefusal, LimitReached } from '../../errors/errors.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, nodeName } from '../../ui/nodes.ts'
import { sortRegistration, sortSettings } from '../../ui/sort.ts'
import { isTrait } from '../../ui/trait-nodes.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import { selectedSchema } from './admission.ts'
import { loginForm } from './login-form.ts'
import { type FormRules, organizationOf, stepNamed } from './steps.ts'
import { keptValues, typedValues } from './values.ts'

export const continuesIn = storedFlowField<string>('continues_in')

const rules: { readonly [K in FlowKind]: FormRules<K> } = {
  login: loginForm,

  registration: {
    stayStatus: 400,
    noMethod: messages.noRegistrationMethod,

    rendersStep(ctx, flow, { step }) {
      if (ctx.config.selfservice.flows.registration.style === 'unified') return true
      return step.onFirstScreen === true || flow.memo.second_screen !== undefined
    },

    /** Sorted, unless the step defines an order. */
    arrange(ctx, flow, nodes, csrf) {
      if (organizationOf(flow) !== undefined) return []
      // Also a field of the previous screen that an error named, unless this error does.
      const isMissing = (node: UiNode) =>
        node.messages.length > 0 && flow.memo.orphanFields?.includes(nodeName(node))
      const isFirst = flow.state === 'choose_method' && !flow.memo.second_screen
      const isShown = (node: UiNode) => isFirst || node.group !== 'default' || isMissing(node)
      const settled = nodes.map((node) => (isShown(node) ? node : asHidden(node)))
      const arranged = stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, settled, csrf)
      if (arranged) return arranged
      const keys = selectedSchema(ctx, flow.identity_schema).leaves.map((leaf) => leaf.path)
      return sortRegistration([csrf, ...settled], keys)
    },

    keepsTyped: (error, by) => by === 'step' || error instanceof HookRefusal,
  },

  settings: {
    stayStatus: 200,
    noMethod: messages.noSettingsMethod,
    keepsTyped: () => true,

    arrange(ctx, flow, nodes, csrf) {
      const paths = flowSchema(ctx.schemas, flow).leaves.map((leaf) => leaf.path)
      const isLast = ({ group }: UiNode) => group === flow.memo.last_group
      const sorted = sortSettings([csrf, ...nodes], paths)
      return [...sorted.filter((node) => !isLast(node)), ...nodes.filter(isLast)]
    },

    /**
     * Invalid traits keep other messages, a web hook's rejection those about the whole form. Other
     * errors replace all.
     */
    reject(ctx, flow, { error, submission: { values }, previousMessages }) {
      // Kratos compatibility: an error sorts the form.
      const { last_group: _, ...memo } = flow.memo
      if (values.method !== 'profile') {
        const keptMessages =
          error instanceof HookRefusal ? previousMessages.filter(({ field }) => field === undefined) : []
        const values = { ...traitsShown(flow), ...memo.values }
        return { ...flow, memo: { ...memo, messages: [...keptMessages, ...error.entries], values } }
      }
      const rest = previousMessages.filter(({ field }) => field === undefined || !isTrait(field))
      // Traits are replaced as a whole, so omitted fields become empty.
      const fields = (flow.ui.nodes ?? []).map(nodeName).filter(isTrait)
      const emptied = Object.fromEntries(fields.map((field) => [field, null]))
      const shownValues = keptValues(memo.values, { ...emptied, ...typedValues(ctx, flow, values) })
      return { ...flow, memo: { ...memo, messages: [...rest, ...error.entries], values: shownValues } }
    },
  },

  recovery: {
    stayStatus: 200,
    noMethod: messages.noRecoveryMethod,
    keepsTyped: () => false,

    /** The form for an operator's code gets a CSRF token once a browser enters it. */
    arrange(_ctx, flow, nodes, csrf) {
      if (!flow.memo.by_operator) return [csrf, ...nodes]
      return flow.csrf_token === '' ? nodes : [...nodes, csrf]
    },
  },

  verification: {
    stayStatus: 200,
    noMethod: messages.noVerificationMethod,
    keepsTyped: () => false,

    arrange: (ctx, flow, nodes, csrf) =>
      stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, nodes, csrf) ?? [csrf, ...nodes],

    /** Keeps earlier messages. A limit changes nothing else, because the emailed code may still be entered. */
    reject(_ctx, rejected, { error, submission: { values, problem }, previousMessages, wasUnclaimed }) {
      const { entries } = error
      const missing = messages.required('').id
      // Kratos compatibility: an omitted address and a missing method renew the address field.
      const renewed = new Set(
        entries.filter(({ message }) => message.id === missing).map(({ field }) => field),
      )
      const ends = entries.some(({ message }) => message.id === messages.noVerificationMethod.id)
      if (ends && !wasUnclaimed) renewed.add('email')
      const keptMessages = previousMessages.filter(({ field }) => field === undefined || !renewed.has(field))
      const flow = { ...rejected, memo: { ...rejected.memo, messages: [...keptMessages, ...entries] } }
      if (error instanceof LimitReached || wasUnclaimed) return flow
      const isRead = entries.some(({ message, field }) => field === undefined || message.id === missing)
      if (problem !== undefined || !isRead) return flow
      // Kratos compatibility: a code without an address leaves the address in the form.
      const keptEmail =
        flow.state === 'sent_email' && !renewed.has('email') ? flow.memo.values?.email : undefined
      const email = typeof values.email === 'string' ? values.email : (keptEmail ?? '')
      const memo = {
        ...flow.memo,
        ...mustEnterAddress.entry(true),
        values: keptValues(flow.memo.values, { email }),
      }
      return { ...flow, memo }
    },
  },
}

export function formRules<K extends FlowKind>({ kind }: Flow<K>): FormRules<K> {
  return rules[kind as K]
}

/** As rendered, without later changes elsewhere. */
function traitsShown({ ui }: Flow<'settings'>): JsonObject {
  const shownNodes = (ui.nodes ?? []).flatMap((node) =>
    node.type === 'input' && isTrait(nodeName(node)) ? [[nodeName(node), node.attributes.value ?? null]] : [],
  )
  return Object.fromEntries(shownNodes)
}
