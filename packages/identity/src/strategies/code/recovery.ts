import { checkCode, rejectedCode } from '../../codes/check.ts'
import { issueCode } from '../../codes/issue.ts'
import { mailOwner } from '../../codes/mail-owner.ts'
import { flowAfterMail, lastAddress, lastRecipient, recipientChoice } from '../../codes/memo.ts'
import { type Context, type StepResult, type Submission, step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { readAddress, readCode } from '../../identities/schema/decode.ts'
import { isEmail } from '../../identities/schema/formats.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { hidden, input, submit } from '../../ui/nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import type { AddressAction, RecoveryInput } from './recovery-choice.ts'
import { awaitingCode, goBack, offerAddresses, readChoice, selectOffer } from './recovery-choice.ts'
import { mailCode } from './send.ts'

export const recovery = step('recovery', {
  whenDisabled: { named: true },
  prepare(ctx, flow) {
    const chooses = ctx.config.feature_flags.choose_recovery_address && !flow.memo.by_operator
    if (!chooses || flow.active !== 'code') return flow
    return recipientChoice.write({ ...flow, state: 'recovery_awaiting_address' as const }, {})
  },

  nodes: (_ctx, flow) => recoveryNodes(flow),

  claims(flow, values) {
    // Kratos compatibility: a submission without a method ends the form.
    if (flow.memo.unclaimed) return 'never'
    if (recipientChoice.read(flow) || flow.memo.by_operator) return true
    const address = readAddress(values, 'email')
    // Kratos compatibility: an invalid address is reported before a missing method.
    return address === undefined ? flow.state !== 'choose_method' : !isEmail(address)
  },

  parse(_ctx, flow, values) {
    const chooses = recipientChoice.read(flow) !== undefined && flow.state !== 'passed_challenge'
    if (!chooses) return parseInput(flow, values)
    const address = readAddress(values, 'email')
    if (address !== undefined && !isEmail(address))
      throw new FormError(messages.invalidEmail(address), 'email')
    return readChoice(flow, values)
  },

  // Any browser may submit an operator's code.
  csrf: (flow, { kind }) => (kind === 'try' && flow.memo.by_operator ? 'none' : 'required'),

  async submit(ctx, flow, act, { transient_payload }) {
    if (act.kind === 'missing') throw new FormError(messages.required(act.field), act.field)
    if (act.kind === 'try') return await tryCode(ctx, flow, act.code, transient_payload)
    if (flow.state === 'passed_challenge') return { kind: 'replace', message: messages.recoveryAlreadyDone }
    const next = await advance(ctx, flow, act, transient_payload)
    return { kind: 'stay', flow: next, members: { transient_payload } }
  },
})

function parseInput(flow: Flow<'recovery'>, values: Submission['values']): RecoveryInput {
  // A flow of an operator sends no email. Browsers get an error; an app's request counts as a wrong code.
  const isMailless = flow.memo.by_operator && flow.type === 'api'
  const address = isMailless ? undefined : readAddress(values, 'email')
  if (address === undefined && flow.state !== 'choose_method') {
    return { kind: 'try', code: readCode(values, 'code') ?? '' }
  }
  // Kratos compatibility: reported after the session.
  if (address === undefined) return { kind: 'missing', field: 'email' }
  if (!isEmail(address)) throw new FormError(messages.invalidEmail(address), 'email')
  return { kind: 'send', address }
}

async function tryCode(
  ctx: Context,
  flow: Flow<'recovery'>,
  typedCode: string,
  transient_payload: JsonObject,
): Promise<StepResult<'recovery'>> {
  const check = await checkCode(ctx, { flow_id: flow.id, account: lastAddress(flow), typedCode })
  if (check.kind === 'used' || check.kind === 'too-often') {
    return { kind: 'replace', message: rejectedCode[check.kind] }
  }
  if (check.kind === 'right' && check.code.identity_id !== undefined) {
    const { id, identity_id, address_id } = check.code
    const consume = { code_id: id }
    return {
      kind: 'completed',
      flow,
      completion: { identity_id, method: 'code_recovery', consume, address_id },
    }
  }
  const memo = { ...flow.memo, messages: [{ message: messages.recoveryCodeWrong }] }
  // Kratos compatibility: no payload while the user chooses the address.
  const chooses = recipientChoice.read(flow) !== undefined && flow.state !== 'passed_challenge'
  const members = chooses ? {} : { transient_payload }
  return { kind: 'stay', flow: { ...flow, memo }, members }
}

async function advance(
  ctx: Context,
  flow: Flow<'recovery'>,
  act: AddressAction,
  transient_payload: JsonObject,
): Promise<Flow<'recovery'>> {
  switch (act.kind) {
    case 'back':
      return goBack(flow, act.to_choice)
    case 'select': {
      const next = selectOffer(flow, act.hash)
      return typeof next === 'string' ? await sendCode(ctx, flow, next, transient_payload) : next
    }
    case 'find': {
      const next = await offerAddresses(ctx, flow, act.address)
      const isOffered = recipientChoice.read(next)?.offers !== undefined
      return isOffered ? next : await sendCode(ctx, next, act.address, transient_payload)
    }
    case 'send':
      return await sendCode(ctx, flow, act.address, transient_payload)
  }
}

async function sendCode(
  ctx: Context,
  flow: Flow<'recovery'>,
  typedAddress: string,
  transient_payload: JsonObject,
): Promise<Flow<'recovery'>> {
  const claimedFlow = await mailOwner(ctx, flow, typedAddress, {
    owner: async (ctx, target) => {
      const issued = await issueCode(ctx, { flow_id: flow.id, ...target })
      return await mailCode(ctx, flow, target, { ...issued, transient_payload })
    },
    unknownRecipient: 'recovery_code_invalid',
  })
  return recipientChoice.read(flow)
    ? awaitingCode(claimedFlow, typedAddress)
    : flowAfterMail(claimedFlow, typedAddress, messages.recoveryCodeSent)
}

function recoveryNodes(flow: Flow<'recovery'>): UiNode[] {
  if (recipientChoice.read(flow)) return choiceNodes(flow)
  if (flow.state === 'choose_method') {
    return [input('code', 'email', 'email', { required: true, label: messages.verifyEmailLabel }), go()]
  }
  if (flow.memo.by_operator) return [codeField(), go()]
  // For the resend button, which submits no method.
  return [codeField(), hidden('code', 'method', 'code'), go(), resend(flow, 'email')]
}

function choiceNodes(flow: Flow<'recovery'>): UiNode[] {
  const { typed = '', offers = [] } = recipientChoice.read(flow) ?? {}
  const method = hidden('code', 'method', 'code')
  const first = hidden('code', 'recovery_address', typed)
  const back = submit('code', 'previous', messages.recoveryBack, 'screen')
  switch (flow.state) {
    case 'recovery_awaiting_address': {
      const label = messages.recoveryAddressLabel
      return [input('code', 'recovery_address', 'text', { required: true, label }), go()]
    }
    case 'recovery_awaiting_address_choice': {
      const buttons = offers.map(({ hash, masked }) =>
        submit('code', hash, messages.label(masked), 'recovery_select_address'),
      )
      return [...buttons, method, first]
    }
    case 'recovery_confirming_address': {
      const isPhone = recipientChoice.read(flow)?.via === 'sms'
      const label = isPhone ? messages.phoneLabel : messages.verifyEmailLabel
      const options = { value: '', required: true, label }
      const type = isPhone ? 'tel' : 'email'
      return [input('code', 'recovery_confirm_address', type, options), first, go(), method, back]
    }
    default:
      return [codeField(), go(), method, resend(flow, 'recovery_confirm_address'), first, back]
  }
}

function codeField(): UiNode {
  const label = messages.recoveryCodeLabel
  return input('code', 'code', 'text', { required: true, pattern: '[0-9]+', maxlength: 6, label })
}

function go(): UiNode {
  return submit('code', 'code', messages.continueLabel)
}

function resend(flow: Flow<'recovery'>, name: string): UiNode {
  return submit('code', lastRecipient.read(flow)?.address ?? '', messages.resendCode, name)
}
