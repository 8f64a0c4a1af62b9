import { checkCode, rejectedCode } from '../../codes/check.ts'
import { withMinimumDuration } from '../../codes/mail-owner.ts'
import { flowAfterMail, lastAddress, lastRecipient } from '../../codes/memo.ts'
import { type Context, type StepResult, type Submission, step } from '../../contract/contract.ts'
import { badRequest, FormError, LimitReached } from '../../errors/errors.ts'
import { readCode, readText } from '../../identities/schema/decode.ts'
import { channelOf, isEmail } from '../../identities/schema/formats.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import { isPhone } from '../../input/phone-number.ts'
import { countAttempt, refundOnFailure } from '../../limits/limits.ts'
import { isAnotherUser } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { hasErrors } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, hidden, input, nodeName, submit } from '../../ui/nodes.ts'
import { sortLogin } from '../../ui/sort.ts'
import { identifierLabel } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import type { CodeRecipient } from './send.ts'
import {
  codeAddressesOrOthers,
  codeFields,
  findRecipient,
  ownAddresses,
  readResend,
  refusedCode,
  sendLoginCode,
} from './send.ts'

export const login = step('login', {
  tokenless: true,

  prepare(ctx, flow, { subject }) {
    if (!isOffered(ctx, flow) || flow.identity_id === undefined) return flow
    const identity = subject?.identity
    const codeAddresses = identity ? codeAddressesOrOthers(ctx, identity) : []
    const requestedAddress =
      identity && flow.requested_aal === 'aal2' ? wantedAddress(flow, identity.traits) : undefined
    if (requestedAddress !== undefined && !codeAddresses.includes(requestedAddress))
      throw badRequest('The parameter via does not name an address that can receive codes.')
    return ownAddresses.write(flow, requestedAddress === undefined ? codeAddresses : [requestedAddress])
  },

  nodes: (ctx, flow) => (isOffered(ctx, flow) ? loginNodes(ctx, flow) : []),

  /**
   * Kratos compatibility: after a code is sent, the CSRF token comes last, and apps get none. An
   * error sorts the form, and brings the token back for apps.
   */
  arrange(_ctx, flow, nodes, csrf) {
    const last = lastRecipient.read(flow)
    if (hasErrors(flow.memo)) {
      const isForeign = last && !last.plain && flow.state !== 'choose_method'
      return flow.type === 'api' && isForeign ? sortLogin(nodes) : undefined
    }
    if (flow.state === 'choose_method') return undefined
    return flow.type === 'api' ? nodes : [...nodes, csrf]
  },

  // Kratos compatibility: at a level without codes, `identifier_first` reads the identifier.
  claims: (flow, values, ctx) =>
    isOffered(ctx, flow)
      ? flow.requested_aal === 'aal2' &&
        values.method === undefined &&
        readText(values, 'address') !== undefined
      : 'never',

  parse(ctx, flow, values) {
    const code = readCode(values, 'code')
    const address = readAddress(values)
    const isCorrected = code === undefined && isAnotherAddress(ctx, flow, address)
    const resends = readResend(values)
    const asksForCode = flow.state === 'choose_method' || isCorrected || resends
    if (flow.state === 'passed_challenge' && !asksForCode) throw new FormError(messages.noLoginMethod)
    return { asks: asksForCode, address, code }
  },

  async submit(ctx, flow, { asks, address, code }, { caller, transient_payload }) {
    if (!asks) {
      if (code === undefined) throw new FormError(messages.required('code'), 'code')
      const isSecond = flow.requested_aal === 'aal2'
      const account = isSecond ? undefined : requireAddress(address)
      const isForeign = isSecond && (await isAnotherUser(ctx, flow, caller))
      return isForeign ? refusedCode(WRONG, REFUSALS) : await useCode(ctx, flow, code, account)
    }
    try {
      const next = await sendCode(ctx, flow, requireAddress(address), transient_payload)
      return { kind: 'stay', flow: next, members: { transient_payload } }
    } catch (error) {
      if (!(error instanceof FormError) || error instanceof LimitReached) throw error
      // Kratos compatibility: the form then asks for a new code, and the last one is not accepted.
      return { kind: 'refused', flow: awaitingAddress(flow), error }
    }
  },

  async autoSubmit(ctx, flow) {
    const named = flow.memo.second_screen && flow.memo.values?.identifier
    const [only, ...others] = ownAddresses.read(flow) ?? []
    const address = flow.requested_aal === 'aal2' && others.length === 0 ? only : named
    return typeof address === 'string' && address !== '' ? await sendCode(ctx, flow, address) : undefined
  },
})

/** Offered as a first or a second factor, not both: one mailbox is one factor. */
function isOffered({ config }: Context, flow: Flow<'login'>): boolean {
  const { passwordless_enabled, mfa_enabled } = config.selfservice.methods.code
  return flow.requested_aal === 'aal2' ? mfa_enabled : passwordless_enabled
}

function readAddress(values: Submission['values']): string | undefined {
  return readText(values, 'identifier') ?? readText(values, 'address')
}

/** Reads the trait that the deprecated parameter `via` names. */
function wantedAddress(flow: Flow<'login'>, traits: JsonObject): string | undefined {
  const via = new URL(flow.request_url).searchParams.get('via')
  return via ? normaliseAddress(readText(traits, via) ?? '') : undefined
}

/** A mistyped one seems to get a code too (SEC-13), so its user corrects it in the same form. */
function isAnotherAddress({ config }: Context, flow: Flow<'login'>, typed: string | undefined): boolean {
  if (!config.security.account_enumeration.mitigate) return false
  const isSent = flow.state === 'sent_email' && flow.requested_aal === 'aal1'
  const isAddress = typed !== undefined && (isEmail(typed) || isPhone(typed))
  return isSent && isAddress && normaliseAddress(typed) !== lastAddress(flow)
}

function requireAddress(address: string | undefined): string {
  if (address === undefined) throw new FormError(messages.required('identifier'), 'identifier')
  return address
}

function awaitingAddress(flow: Flow<'login'>): Flow<'login'> {
  if (!lastRecipient.read(flow)) return flow
  return { ...flow, state: 'choose_method', memo: { ...flow.memo, only: 'code' } }
}

/** Responds alike without an account (SEC-13). */
async function sendCode(
  ctx: Context,
  flow: Flow<'login'>,
  address: string,
  transient_payload?: JsonObject,
): Promise<Flow<'login'>> {
  return await withMinimumDuration(ctx, async () => {
    const recipient = await recipientOf(ctx, flow, address)
    const account = normaliseAddress(address)
    const countedAttempt = await countAttempt(ctx, { kind: 'mail', account, ...recipient?.limited })
    const target = recipient?.target ?? { address: account }
    const send = () => sendLoginCode(ctx, flow, target, transient_payload)
    const claimed = await refundOnFailure(ctx, countedAttempt, send)
    const next = flowAfterMail(claimed, address, messages.loginCodeSent, { identifier: address })
    return { ...next, active: 'code' }
  })
}

/** The response must not reveal whether an account has the address (SEC-13). */
async function recipientOf(
  ctx: Context,
  flow: Flow<'login'>,
  address: string,
): Promise<CodeRecipient | undefined> {
  const recipient = await findRecipient(ctx, address)
  const hides = ctx.config.security.account_enumeration.mitigate && flow.identity_id === undefined
  const isExpected = flow.identity_id === undefined || flow.identity_id === recipient?.target.identity_id
  if (recipient && isExpected) return recipient
  if (hides) return undefined
  const { missing_credential_fallback_enabled } = ctx.config.selfservice.methods.code.config
  const isOwnOnly = flow.requested_aal === 'aal2' && missing_credential_fallback_enabled
  throw new FormError(isOwnOnly ? messages.addressUnknown : messages.noCodeLogin)
}

async function useCode(
  ctx: Context,
  flow: Flow<'login'>,
  typedCode: string,
  address: string | undefined,
): Promise<StepResult<'login'>> {
  const recipient = address === undefined ? undefined : await recipientOf(ctx, flow, address)
  const identity_id = flow.requested_aal === 'aal2' ? flow.identity_id : recipient?.target.identity_id
  const check = await checkCode(ctx, { flow_id: flow.id, account: lastAddress(flow), typedCode })
  if (check.kind === 'expired' && flow.identity_id !== undefined) throw new FormError(codeExpired)
  if (check.kind !== 'right') return refusedCode(check, REFUSALS)
  // Codes sign in only their recipient (SEC-02).
  if (identity_id === undefined || check.code.identity_id !== identity_id) return refusedCode(WRONG, REFUSALS)
  const { id, address_id, address: recipientAddress } = check.code
  const completion = {
    identity_id,
    method: 'code' as const,
    aal: flow.requested_aal,
    evidence: {
      kind: 'single_use' as const,
      code_id: id,
      refusal: rejectedCode.used,
      // Deleting a stored address deletes its codes.
      identifier: address_id === undefined ? recipientAddress : undefined,
    },
    address_id,
  }
  return { kind: 'completed', flow: { ...flow, state: 'passed_challenge' }, completion }
}

const WRONG = { kind: 'wrong' } as const
const REFUSALS = { wrong: messages.loginCodeWrong, expired: messages.loginFlowExpired }
// Kratos compatibility: a signed-in user keeps this flow, because a new one would start with the first
// factor.
const codeExpired = messages.generic('This code has expired. Please request a new one.')

function loginNodes(ctx: Context, flow: Flow<'login'>): UiNode[] {
  if (flow.state !== 'choose_method' || lastRecipient.read(flow)) {
    const resend = submit('code', 'code', messages.resendCode, 'resend')
    return [addressField(flow), ...codeFields(messages.loginCodeLabel), resend]
  }
  const ownChoices = ownAddresses.read(flow)
  if (flow.requested_aal === 'aal2') {
    return (ownChoices ?? []).map((address) =>
      submit('code', address, messages.loginSendCodeTo(address, channelOf(address)), 'address'),
    )
  }
  if (flow.refresh && ownChoices?.length === 0) return []
  const field = input('default', 'identifier', 'text', {
    value: '',
    required: true,
    label: identifierLabel(flowSchema(ctx.schemas, flow)),
  })
  return [field, submit('code', 'code', messages.loginSendCode)]
}

/** Kratos compatibility: hidden until a code is rejected. */
function addressField(flow: Flow<'login'>): UiNode {
  const address = lastRecipient.read(flow)?.address
  const previousNode = (flow.ui.nodes ?? []).find(
    (node) =>
      nodeName(node) === 'identifier' ||
      (nodeName(node) === 'address' && 'value' in node.attributes && node.attributes.value === address),
  )
  if (lastRecipient.read(flow)?.plain || previousNode?.type !== 'input')
    return hidden('default', 'identifier', '')
  const { attributes } = previousNode
  return asHidden({ ...previousNode, messages: [], attributes: { ...attributes, name: 'identifier' } })
}
