import { checkToken, proofOf } from '../codes/check.ts'
import { type ChallengeTarget, issueToken } from '../codes/issue.ts'
import { mailOwner } from '../codes/mail-owner.ts'
import { continueUrl, flowAfterMail, lastRecipient, linkToConfirm } from '../codes/memo.ts'
import { urlAt } from '../config/base-url.ts'
import type { Completion } from '../contract/completion.ts'
import { type Context, type StepResult, type Strategy, type Submission, step } from '../contract/contract.ts'
import { queueMail } from '../courier/queue.ts'
import { FormError } from '../errors/errors.ts'
import { addressChange, waitsForProof } from '../identities/addresses/address-change.ts'
import { readAddress, readText } from '../identities/schema/decode.ts'
import { isEmail } from '../identities/schema/formats.ts'
import type { Code } from '../storage/flows/codes.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { messages } from '../ui/messages.ts'
import { anchor, hidden, input, nodeName, submit, withValue } from '../ui/nodes.ts'
import { ownMessages } from '../ui/own-messages.ts'
import type { UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'

type LinkInput =
  | { readonly kind: 'open'; readonly token: string }
  | { readonly kind: 'send'; readonly email: string }

function addressForm(): UiNode[] {
  return [
    input('link', 'email', 'email', { required: true, label: messages.verifyEmailLabel }),
    submit('link', 'link', messages.continueLabel),
  ]
}

/** Throws `FormError`. */
function readLinkInput(values: Submission['values']): LinkInput {
  const token = readText(values, 'token')
  if (token !== undefined) return { kind: 'open', token }
  const email = readAddress(values, 'email')
  if (email === undefined) throw new FormError(messages.required('email'), 'email')
  if (!isEmail(email)) throw new FormError(messages.invalidEmail(email), 'email')
  return { kind: 'send', email }
}

/** Link tokens are submitted without a method. */
function holdsToken(values: Submission['values']): boolean {
  return readText(values, 'token') !== undefined
}

/** Kratos compatibility: an invalid address is reported before a missing method. */
function namesInvalidAddress(values: Submission['values']): boolean {
  const email = readAddress(values, 'email')
  return email !== undefined && !isEmail(email)
}

type LinkFlowKind = 'recovery' | 'verification'

/** The response does not reveal whether an account has the address (SEC-13). */
async function sendLink<K extends LinkFlowKind>(
  ctx: Context,
  flow: Flow<K>,
  typed: string,
): Promise<Flow<K>> {
  return await mailOwner(ctx, flow, typed, {
    owner: (ctx, target) => mailLink(ctx, flow, target),
    unknownRecipient: `${flow.kind}_invalid`,
  })
}

/** Sends to the stored address, never to the typed one (SEC-07). */
async function mailLink(
  ctx: Context,
  flow: Flow<LinkFlowKind>,
  target: ChallengeTarget,
  mails = true,
): Promise<string | undefined> {
  const remainingMs = Date.parse(flow.expires_at) - ctx.now().getTime()
  const lifespan = Math.min(ctx.config.selfservice.methods.link.config.lifespan, remainingMs)
  const { token, expires_at } = await issueToken(ctx, { flow_id: flow.id, ...target }, lifespan)
  if (!mails) return undefined
  return await queueMail(ctx, {
    template_type: `${flow.kind}_valid`,
    recipient: target.address,
    identity_id: target.identity_id,
    data: { url: linkUrl(ctx, flow, token), expires_in_minutes: Math.ceil(lifespan / 60_000) },
    cause: { request_url: flow.request_url, identity_id: target.identity_id },
    expires_at,
  })
}

function linkUrl(ctx: Context, { kind, id }: Flow<LinkFlowKind>, token: string): string {
  const base = ctx.config.selfservice.methods.link.config.base_url ?? ctx.config.serve.public.base_url
  return urlAt(base, `/self-service/${kind}?${new URLSearchParams({ flow: id, token })}`)
}

const recovery = step('recovery', {
  whenDisabled: { named: true, claimed: true },
  nodes: () => addressForm(),
  byLink: true,
  claims: ({ memo }, values) => holdsToken(values) || (!memo.unclaimed && namesInvalidAddress(values)),
  parse: (_ctx, _flow, values) => readLinkInput(values),
  csrf: (_flow, { kind }) => (kind === 'open' ? 'none' : 'required'),

  async submit(ctx, flow, input, { transient_payload }) {
    if (input.kind === 'open') {
      const texts = { expired: messages.recoveryFlowExpired, wrong: messages.recoveryLinkWrong }
      return await openLink(ctx, flow, { token: input.token, texts }, ({ id, identity_id, address_id }) =>
        // Only one of several links can be used.
        flow.state === 'passed_challenge' || identity_id === undefined
          ? undefined
          : { identity_id, method: 'link_recovery', consume: { code_id: id }, address_id },
      )
    }
    if (flow.state === 'passed_challenge') return { kind: 'replace', message: messages.recoveryAlreadyDone }
    const { email } = input
    const next = flowAfterMail(await sendLink(ctx, flow, email), email, messages.recoveryLinkSent, { email })
    return { kind: 'stay', flow: next, members: { transient_payload } }
  },
})

const verification = step('verification', {
  prepare(_ctx, flow) {
    const address = lastRecipient.read(flow)?.address
    return flow.active === 'link' && address !== undefined ? waitingFlow(flow, address) : flow
  },

  nodes(_ctx, flow) {
    const asksToConfirm = linkToConfirm.read(flow) !== undefined || addressChange.read(flow)?.undo
    if (flow.state !== 'passed_challenge' && asksToConfirm) {
      const label = addressChange.read(flow)?.undo ? ownMessages.undoLabel : messages.continueLabel
      return [hidden('link', 'token'), submit('link', 'link', label)]
    }
    if (flow.state !== 'passed_challenge') return addressForm()
    return [anchor('link', 'continue', continueUrl.read(flow) ?? '', messages.continueLabel)]
  },

  reveal(ctx, flow, node) {
    const link = linkToConfirm.read(flow)
    if (!link || nodeName(node) !== 'token') return node
    return withValue(node, ctx.secrets.decrypt('link token', link.token))
  },

  byLink: true,
  // As with codes, a submission without a method ends the form. Emailed links still work.
  claims: ({ memo }, values) =>
    holdsToken(values) || (memo.unclaimed ? 'never' : namesInvalidAddress(values)),
  parse: (_ctx, _flow, values) => readLinkInput(values),
  csrf: ({ state }, { kind }) => (kind === 'open' || state === 'passed_challenge' ? 'none' : 'required'),

  async submit(ctx, flow, input) {
    if (input.kind === 'open') {
      const texts = { expired: messages.verificationFlowExpired, wrong: messages.verificationLinkWrong }
      return await openLink(ctx, flow, { token: input.token, texts }, (code) => proofOf(flow, code))
    }
    if (flow.state === 'passed_challenge') {
      return { kind: 'replace', message: messages.verificationAlreadyDone }
    }
    const claimed = await sendLink(ctx, flow, input.email)
    return { kind: 'stay', flow: waitingFlow(claimed, input.email) }
  },

  challenge: mailLink,
})

interface OpenedLink {
  readonly token: string
  readonly texts: { readonly expired: (expired_at: string) => UiText; readonly wrong: UiText }
}

async function openLink<K extends LinkFlowKind>(
  ctx: Context,
  flow: Flow<K>,
  { token, texts }: OpenedLink,
  completionOf: (code: Code) => Completion[K] | undefined,
): Promise<StepResult<K>> {
  const check = await checkToken(ctx, flow.id, token)
  if (check.kind === 'expired') {
    const { expires_at: expired_at } = check
    return { kind: 'replace', message: texts.expired(expired_at), expired_at, byLink: true }
  }
  const completion = check.kind === 'right' ? completionOf(check.code) : undefined
  return completion
    ? { kind: 'completed', flow, completion }
    : { kind: 'replace', message: texts.wrong, byLink: true }
}

function waitingFlow(flow: Flow<'verification'>, email: string): Flow<'verification'> {
  return flowAfterMail(flow, email, messages.verificationLinkSent, { email })
}

export const link: Strategy = {
  id: 'link',
  group: 'link',
  admin: undefined,
  /** Undoing an address change always uses a link. */
  enabled: (config, flow) =>
    config.selfservice.methods.link.enabled || (flow === 'verification' && waitsForProof({ config })),
  steps: { recovery, verification },
}
