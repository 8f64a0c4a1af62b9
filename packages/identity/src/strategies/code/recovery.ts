import { checkCode, rejectedCode } from '../../codes/check.ts'
import type { ChallengeTarget } from '../../codes/issue.ts'
import { issueCode } from '../../codes/issue.ts'
import { mailOwner } from '../../codes/mail-owner.ts'
import { lastRecipient, recipientChoice, sentTo } from '../../codes/memo.ts'
import type { Context, StepResult, Submission } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import { queueMail } from '../../courier/queue.ts'
import { FormError } from '../../errors/errors.ts'
import { readObject, readText } from '../../identities/schema/decode.ts'
import { isEmail } from '../../identities/schema/formats.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { ChoiceAct } from './recovery-choice.ts'
import { awaitingCode, goBack, offerAddresses, readChoice, select } from './recovery-choice.ts'
import { recoveryNodes } from './recovery-nodes.ts'
import { lifespanInMinutes } from './send.ts'

type Intent = { readonly transient_payload: JsonObject } & ChoiceAct

export const recovery = step<'recovery', Intent>('recovery', {
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
    const address = readText(values, 'email')
    // Kratos compatibility: an invalid address is reported before a missing method.
    return address === undefined ? flow.state !== 'choose_method' : !isEmail(address)
  },

  parse(_ctx, flow, values) {
    const transient_payload = readObject(values, 'transient_payload')
    const chooses = recipientChoice.read(flow) !== undefined && flow.state !== 'passed_challenge'
    return { ...(chooses ? readChoice(flow, values) : read(flow, values)), transient_payload }
  },

  // Any browser may submit an operator's code.
  csrf: (flow, { kind }) => (kind === 'try' && flow.memo.by_operator ? 'none' : 'required'),

  async submit(ctx, flow, intent) {
    if (intent.kind === 'try') return await tryCode(ctx, flow, intent)
    const shown = { transient_payload: intent.transient_payload }
    if (flow.state === 'passed_challenge') return { kind: 'replace', message: messages.recoveryAlreadyDone }
    switch (intent.kind) {
      case 'back':
        return { kind: 'stay', flow: goBack(flow, intent.to_choice), shown }
      case 'select':
        return { kind: 'stay', flow: await sendToChosen(ctx, flow, intent), shown }
      case 'find':
        return { kind: 'stay', flow: await offerOrSend(ctx, flow, intent), shown }
      case 'send':
        return { kind: 'stay', flow: await send(ctx, flow, intent.address, intent), shown }
    }
  },
})

function read(flow: Flow<'recovery'>, values: Submission['values']): ChoiceAct {
  // A flow of an operator sends no email. Browsers get an error; an app's request counts as a wrong code.
  const isMailless = flow.memo.by_operator && flow.type === 'api'
  const address = isMailless ? undefined : readText(values, 'email')
  if (address === undefined && flow.state !== 'choose_method') {
    return { kind: 'try', code: readText(values, 'code') ?? '' }
  }
  if (address === undefined) throw new FormError(messages.required('email'), 'email')
  if (!isEmail(address)) throw new FormError(messages.invalidEmail(address), 'email')
  return { kind: 'send', address }
}

async function tryCode(
  ctx: Context,
  flow: Flow<'recovery'>,
  { code: typed, transient_payload }: Extract<Intent, { kind: 'try' }>,
): Promise<StepResult<'recovery'>> {
  const check = await checkCode(ctx, { flow_id: flow.id, account: sentTo(flow), typed })
  switch (check.kind) {
    case 'right': {
      const { id, identity_id, address_id } = check.code
      if (identity_id === undefined) break
      const consume = { code_id: id }
      const method = 'code_recovery' as const
      return { kind: 'done', flow, done: { identity_id, method, consume, address_id, transient_payload } }
    }
    case 'used':
    case 'too-often':
      return { kind: 'replace', message: rejectedCode[check.kind] }
    case 'expired':
    case 'wrong':
      break
  }
  const memo = { ...flow.memo, messages: [{ message: messages.recoveryCodeWrong }] }
  // Kratos compatibility: no payload if the user chose the address.
  return {
    kind: 'stay',
    flow: { ...flow, memo },
    shown: recipientChoice.read(flow) ? {} : { transient_payload },
  }
}

async function sendToChosen(
  ctx: Context,
  flow: Flow<'recovery'>,
  intent: Extract<Intent, { kind: 'select' }>,
): Promise<Flow<'recovery'>> {
  const next = select(flow, intent.hash)
  return typeof next === 'string' ? await send(ctx, flow, next, intent) : next
}

async function offerOrSend(
  ctx: Context,
  flow: Flow<'recovery'>,
  intent: Extract<Intent, { kind: 'find' }>,
): Promise<Flow<'recovery'>> {
  const offered = await offerAddresses(ctx, flow, intent.address)
  return recipientChoice.read(offered)?.offers ? offered : await send(ctx, offered, intent.address, intent)
}

async function send(
  ctx: Context,
  flow: Flow<'recovery'>,
  typed: string,
  { transient_payload }: Pick<Intent, 'transient_payload'>,
): Promise<Flow<'recovery'>> {
  await mailOwner(ctx, flow, typed, {
    owner: (ctx, target) => mailCode(ctx, flow, target, transient_payload),
    unknownRecipient: 'recovery_code_invalid',
  })
  return recipientChoice.read(flow) ? awaitingCode(flow, typed) : waiting(flow, typed)
}

async function mailCode(
  ctx: Context,
  flow: Flow<'recovery'>,
  target: ChallengeTarget,
  transient_payload: JsonObject,
): Promise<string | undefined> {
  const { code, expires_at } = await issueCode(ctx, { flow_id: flow.id, ...target })
  return await queueMail(ctx, {
    template_type: 'recovery_code_valid',
    recipient: target.address,
    data: { code, expires_in_minutes: lifespanInMinutes(ctx) },
    cause: { request_url: flow.request_url, identity_id: target.identity_id, transient_payload },
    expires_at,
  })
}

function waiting(flow: Flow<'recovery'>, address: string): Flow<'recovery'> {
  const memo = {
    ...flow.memo,
    ...lastRecipient.entry({ address }),
    values: {},
    messages: [{ message: messages.recoveryCodeSent }],
  }
  return { ...flow, state: 'sent_email', active: 'code', memo }
}
