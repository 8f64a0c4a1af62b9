import { checkCode, proofOf, rejectedCode } from '../../codes/check.ts'
import { type ChallengeTarget, type IssuedCode, issueAnotherCode, issueCode } from '../../codes/issue.ts'
import { mailOwner } from '../../codes/mail-owner.ts'
import { continueUrl, flowAfterMail, lastAddress, lastRecipient, mustEnterAddress } from '../../codes/memo.ts'
import { publicUrl } from '../../config/base-url.ts'
import { type Context, type StepResult, type Submission, step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { addressChange } from '../../identities/addresses/address-change.ts'
import { readAddress, readCode } from '../../identities/schema/decode.ts'
import { channelOf, isEmail } from '../../identities/schema/formats.ts'
import { isPhone } from '../../input/phone-number.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { anchor, input, nodeName, submit } from '../../ui/nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import { codeFields, mailCode } from './send.ts'

type Input =
  | { readonly kind: 'try'; readonly code: string }
  /** Email address or phone number. */
  | { readonly kind: 'send'; readonly email: string }
  | { readonly kind: 'verified' }

export const verification = step('verification', {
  prepare(_ctx, flow) {
    const address = lastRecipient.read(flow)?.address
    return flow.active === 'code' && address !== undefined ? waitingFlow(flow, address) : flow
  },

  nodes(_ctx, flow): readonly UiNode[] {
    switch (flow.state) {
      case 'sent_email':
        return [
          ...codeFields(messages.verificationCodeLabel, lastRecipient.read(flow)?.prefilled),
          mustEnterAddress.read(flow) ? addressField('') : resendButton(flow),
        ]
      case 'passed_challenge':
        return [
          anchor('code', 'continue', continueUrl.read(flow) ?? '', messages.continueLabel),
          ...(mustEnterAddress.read(flow) ? [addressField('')] : []),
        ]
      default:
        return [
          addressField(mustEnterAddress.read(flow) ? '' : undefined),
          submit('code', 'code', messages.continueLabel),
        ]
    }
  },

  arrange(_ctx, flow, nodes, csrf) {
    if (flow.state === 'passed_challenge') return undefined
    if (flow.type === 'api') {
      // A browser that opened an app's link has a token.
      return mustEnterAddress.read(flow) || flow.csrf_token !== '' ? [...nodes, csrf] : nodes
    }
    const behind = flow.state === 'sent_email' ? ['email', 'sms'] : (flow.memo.orphanFields ?? [])
    const at = nodes.findIndex((node) => behind.includes(nodeName(node)))
    return at < 0 ? [...nodes, csrf] : nodes.toSpliced(at, 0, csrf)
  },

  claims({ memo }, values) {
    // Kratos compatibility: a submission without a method ends the form.
    if (memo.unclaimed) return 'never'
    if (isUnknown(values.method)) return 'rest'
    // Kratos compatibility: an invalid address is reported before a missing method.
    if (isInvalid(typedAddress(values))) return true
    return values.method === undefined && readCode(values, 'code') !== undefined
  },

  parse(_ctx, { state }, values): Input {
    if (isUnknown(values.method)) throw new FormError(messages.generic(UNKNOWN_METHOD), 'method')
    const code = readCode(values, 'code')
    const email = typedAddress(values)
    if (isInvalid(email)) throw new FormError(messages.invalidEmail(email), 'email')
    if (state === 'passed_challenge') return { kind: 'verified' }
    if (code !== undefined) return { kind: 'try', code }
    if (email === undefined) throw new FormError(messages.required('email'), 'email')
    return { kind: 'send', email }
  },

  csrf: (_flow, { kind }) => (kind === 'send' ? 'required' : 'none'),

  async submit(ctx, flow, input, { transient_payload }) {
    switch (input.kind) {
      case 'verified':
        return { kind: 'replace', message: messages.verificationAlreadyDone }
      case 'try':
        return await useCode(ctx, flow, input.code, transient_payload)
      case 'send':
        return { kind: 'stay', flow: await sendCode(ctx, flow, input.email, transient_payload) }
    }
  },

  async challenge(ctx, flow, to, mails = true) {
    const issued = await issueAnotherCode(ctx, { flow_id: flow.id, ...to })
    return mails ? await mail(ctx, flow, to, issued) : undefined
  },
})

function typedAddress(values: Submission['values']): string | undefined {
  return readAddress(values, 'email') ?? readAddress(values, 'sms')
}

function isInvalid(address: string | undefined): address is string {
  return address !== undefined && !isEmail(address) && !isPhone(address)
}

/** Kratos compatibility: unknown methods and disabled ones get different errors. */
function isUnknown(method: unknown): boolean {
  return method !== undefined && method !== null && method !== '' && method !== 'code' && method !== 'link'
}

const UNKNOWN_METHOD = 'The method must be one of: code, link.'

function resendButton(flow: Flow<'verification'>): UiNode {
  const address = lastRecipient.read(flow)?.address ?? ''
  // Kratos compatibility: the button's name is the channel.
  return submit('code', address, messages.resendCode, channelOf(address))
}

function addressField(value: string | undefined): UiNode {
  return input('code', 'email', 'email', { value, required: true, label: messages.verifyEmailLabel })
}

async function useCode(
  ctx: Context,
  flow: Flow<'verification'>,
  typedCode: string,
  transient_payload: JsonObject,
): Promise<StepResult<'verification'>> {
  const isUnlisted = addressChange.read(flow) !== undefined
  const check = await checkCode(ctx, { flow_id: flow.id, account: lastAddress(flow), typedCode, isUnlisted })
  const completion = check.kind === 'right' ? proofOf(flow, check.code) : undefined
  if (completion) return { kind: 'completed', flow, completion }
  if (check.kind === 'expired') {
    const message = messages.verificationFlowExpired(check.expires_at)
    return { kind: 'replace', message, expired_at: check.expires_at }
  }
  if (check.kind === 'used' || check.kind === 'too-often') {
    return { kind: 'replace', message: rejectedCode[check.kind] }
  }
  const onFields = (flow.memo.messages ?? []).filter(({ field }) => field !== undefined)
  const memo = { ...flow.memo, messages: [...onFields, { message: messages.verificationCodeWrong }] }
  return { kind: 'stay', flow: { ...flow, memo }, members: { transient_payload } }
}

async function sendCode(
  ctx: Context,
  flow: Flow<'verification'>,
  email: string,
  transient_payload: JsonObject,
): Promise<Flow<'verification'>> {
  const claimedFlow = await mailOwner(ctx, flow, email, {
    owner: async (ctx, target) => {
      const issued = await issueCode(ctx, { flow_id: flow.id, ...target })
      return await mail(ctx, flow, target, issued, transient_payload)
    },
    unknownRecipient: 'verification_code_invalid',
  })
  return waitingFlow(claimedFlow, email)
}

function waitingFlow(flow: Flow<'verification'>, address: string): Flow<'verification'> {
  return flowAfterMail(
    flow,
    address,
    isPhone(address) ? messages.verificationSentBySms : messages.verificationSent,
  )
}

async function mail(
  ctx: Context,
  flow: Flow<'verification'>,
  target: ChallengeTarget,
  issued: IssuedCode,
  transient_payload: JsonObject = {},
): Promise<string | undefined> {
  const query = new URLSearchParams({ code: issued.code, flow: flow.id })
  const url = publicUrl(ctx, `/self-service/verification?${query}`)
  return await mailCode(ctx, flow, target, { ...issued, url, transient_payload })
}
