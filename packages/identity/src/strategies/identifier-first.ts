import { lastRecipient } from '../codes/memo.ts'
import { type Context, type Strategy, step } from '../contract/contract.ts'
import { FormError } from '../errors/errors.ts'
import { firstFactors } from '../identities/factors.ts'
import { namedAccount } from '../identities/named-account.ts'
import { linkedProviders } from '../identities/provider-accounts.ts'
import { readText } from '../identities/schema/decode.ts'
import { flowSchema } from '../identities/schema/schema.ts'
import { findIdentityId } from '../identities/subject.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { hasErrors } from '../storage/flows/memo.ts'
import { listCredentials } from '../storage/identities/credentials.ts'
import { messages } from '../ui/messages.ts'
import { input, isSubmit, nodeName, submit } from '../ui/nodes.ts'
import { identifierLabel } from '../ui/trait-nodes.ts'
import type { UiNode } from '../wire/node.ts'

/** Skipped for known users and second factors. */
const login = step('login', {
  onFirstScreen: true,

  nodes(ctx, flow) {
    if (!isAsked(flow)) return []
    const isSecondScreen = flow.memo.second_screen !== undefined
    const field = input('identifier_first', 'identifier', isSecondScreen ? 'hidden' : 'text', {
      value: '',
      required: true,
      autocomplete: 'username webauthn',
      label: identifierLabel(flowSchema(ctx.schemas, flow)),
    })
    return isSecondScreen
      ? [field]
      : [field, submit('identifier_first', 'identifier_first', messages.continueLabel)]
  },

  // Kratos compatibility: the first screen's nodes stay in front; an error sorts the form.
  arrange: ({ config }, { memo, ui }, nodes, csrf) => {
    const moves = config.security.account_enumeration.mitigate ? () => false : isSubmit
    return hasErrors(memo) ? undefined : asBefore(ui.nodes ?? [], [csrf, ...nodes], moves)
  },

  claims: (flow) => (isAsked(flow) ? 'rest' : false),

  parse(_ctx, flow, values) {
    if (!isAsked(flow)) throw new FormError(messages.noLoginMethod)
    return readText(values, 'identifier') ?? ''
  },

  async submit(ctx, flow, identifier, { transient_payload }) {
    const { methods, linked_providers = flow.memo.linked_providers } = await choose(ctx, identifier)
    if (methods.length === 0) {
      const error = new FormError(messages.accountUnknown, 'identifier')
      return { kind: 'refused', flow: { ...flow, memo: { ...flow.memo, linked_providers } }, error }
    }
    const { messages: _, ...before } = lastRecipient.write(flow, undefined).memo
    const memo = { ...before, values: { identifier }, second_screen: { methods }, linked_providers }
    const next: Flow<'login'> = { ...flow, state: 'choose_method', active: 'identifier_first', memo }
    return { kind: 'stay', flow: next, members: { transient_payload } }
  },
})

function isAsked(flow: Flow<'login'>): boolean {
  return !flow.refresh && flow.requested_aal === 'aal1' && !namedAccount(flow)
}

/** Previous nodes keep their order. */
function asBefore(
  previousNodes: readonly UiNode[],
  nodes: readonly UiNode[],
  moves: (node: UiNode) => boolean,
): UiNode[] {
  const place = (node: UiNode) => (moves(node) ? -1 : previousNodes.findIndex((one) => isSame(one, node)))
  const keptNodes = nodes.filter((node) => place(node) >= 0).toSorted((a, b) => place(a) - place(b))
  return [...keptNodes, ...nodes.filter((node) => place(node) < 0)]
}

function isSame(one: UiNode, other: UiNode): boolean {
  return one.group === other.group && nodeName(one) === nodeName(other)
}

/** Offers all methods if the user's must stay hidden (SEC-13). */
async function choose(ctx: Context, identifier: string) {
  if (ctx.config.security.account_enumeration.mitigate) {
    const on = ctx.strategies.filter((strategy) => strategy.enabled(ctx.config, 'login'))
    const { code } = ctx.config.selfservice.methods
    // Kratos compatibility: a code needs an address.
    if (identifier === '' && code.enabled && code.passwordless_enabled)
      throw new FormError(messages.required('identifier'), 'identifier')
    return { methods: on.map(({ id }) => id) }
  }
  const identity_id = identifier === '' ? undefined : await findIdentityId(ctx, identifier)
  if (identity_id === undefined) return { methods: [] }
  const credentials = await listCredentials(ctx.db, identity_id)
  return { methods: firstFactors(ctx, credentials), linked_providers: linkedProviders(credentials) }
}

export const identifierFirst: Strategy = {
  id: 'identifier_first',
  group: 'identifier_first',
  admin: undefined,
  enabled: ({ selfservice }, flow) =>
    flow === 'login' && selfservice.flows.login.style === 'identifier_first',
  steps: { login },
}
