import { checkToken, proofOf } from '../codes/check.ts'
import { type ChallengeTarget, issueToken } from '../codes/issue.ts'
import { mailOwner } from '../codes/mail-owner.ts'
import { continueUrl, flowAfterMail, lastRecipient, linkToConfirm } from '../codes/memo.ts'
import { urlAt } from '../config/base-url.ts'
import { type Context, type StepResult, type Strategy, type Submission, step } from '../contract/contract.ts'
import { queueMail } from '../courier/queue.ts'
import { FormError } from '../errors/errors.ts'
import { addressChange, waitsForProof } from '../identities/addresses/address-change.ts'
import { readAddress, readText } from '../identities/schema/decode.ts'
import { isEmail } from '../identities/schema/formats.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { messages } from '../ui/messages.ts'
import { anchor, hidden, input, nodeName, submit, withValue } from '../ui/nodes.ts'
import { ownMessages } from '../ui/own-messages.ts'
import type { UiNode } from '../wire/node.ts'

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

const recovery = step<'recovery', LinkInput>('recovery', {
  whenDisabled: { named: true, claimed: true },
  nodes: () => addressForm(),
  byLink: true,
  claims: ({ memo }, values) => holdsToken(values) || (!memo.unclaimed && namesInvalidAddress(values)),
  parse: (_ctx, _flow, values) => readLinkInput(values),
  csrf: (_flow, { kind }) => (kind === 'open' ? 'none' : 'required'),

  async submit(ctx, flow, input, { transient_payload }) {
    if (input.kind === 'open') return await openRecovery(ctx, flow, input.token)
    if (flow.state === 'passed_challenge') return { kind: 'replace', message: messages.recoveryAlreadyDone }
    const { email } = input
    const next = flowAfterMail(await sendLink(ctx, flow, email), email, messages.recoveryLinkSent, { email })
    return { kind: 'stay', flow: next, members: { transient_payload } }
  },
})

async function openRecovery(
  ctx: Context,
  flow: Flow<'recovery'>,
  token: string,
): Promise<StepResult<'recovery'>> {
  const check = await checkToken(ctx, flow.id, token)
  if (check.kind === 'expired') {
    const message = messages.recoveryFlowExpired(check.expires_at)
    return { kind: 'replace', message, expired_at: check.expires_at, byLink: true }
  }
  // Only one of several links can be used.
  if (check.kind !== 'right' || flow.state === 'passed_challenge' || check.code.identity_id === undefined) {
    return { kind: 'replace', message: messages.recoveryLinkWrong, byLink: true }
  }
  const { id, identity_id, address_id } = check.code
  const consume = { code_id: id }
  return {
    kind: 'completed',
    flow,
    completion: { identity_id, method: 'link_recovery', consume, address_id },
  }
}

const verification = step<'verification', LinkInput>('verification', {
  prepare(_ctx, flow) {
    const address = lastRecipient.read(flow)?.address
    return flow.active === 'link' && address !== undefined ? waitingFlow(flow, address) : flow
  },

  nodes(_ctx, flow) {
    const asksToConfirm = linkToConfirm.read(flow) !== undefined || addressChange.read(flow)?.undo
    if (flow.state !== 'passed_challenge' && asksToConfirm) return confirmForm(flow)
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
    if (input.kind === 'open') return await openVerification(ctx, flow, input.token)
    if (flow.state === 'passed_challenge') {
      return { kind: 'replace', message: messages.verificationAlreadyDone }
    }
    const claimed = await sendLink(ctx, flow, input.email)
    return { kind: 'stay', flow: waitingFlow(claimed, input.email) }
  },

  challenge: mailLink,
})

function confirmForm(flow: Flow<'verification'>): UiNode[] {
  const label = addressChange.read(flow)?.undo ? ownMessages.undoLabel : messages.continueLabel
  return [hidden('link', 'token'), submit('link', 'link', label)]
}

async function openVerification(
  ctx: Context,
  flow: Flow<'verification'>,
  token: string,
): Promise<StepResult<'verification'>> {
  const check = await checkToken(ctx, flow.id, token)
  if (check.kind === 'expired') {
    const message = messages.verificationFlowExpired(check.expires_at)
    return { kind: 'replace', message, expired_at: check.expires_at, byLink: true }
  }
  const wrong = { kind: 'replace', message: messages.verificationLinkWrong, byLink: true } as const
  if (check.kind !== 'right') return wrong
  const completion = proofOf(flow, check.code)
  return completion ? { kind: 'completed', flow, completion } : wrong
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
