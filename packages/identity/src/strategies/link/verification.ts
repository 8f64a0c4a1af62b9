import { checkToken, proofOf } from '../../codes/check.ts'
import { continueUrl, lastRecipient, linkToConfirm, mailedTo } from '../../codes/memo.ts'
import type { Context, StepResult } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import { addressChange } from '../../identities/addresses/address-change.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { anchor, hidden, nodeName, submit, withValue } from '../../ui/nodes.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { UiNode } from '../../wire/node.ts'
import type { LinkInput } from './form.ts'
import { addressForm, holdsToken, readLinkInput } from './form.ts'
import { mailLink, sendLink } from './mail.ts'

export const verification = step<'verification', LinkInput>('verification', {
  prepare(_ctx, flow) {
    const address = lastRecipient.read(flow)?.address
    return flow.active === 'link' && address !== undefined ? waiting(flow, address) : flow
  },

  nodes(_ctx, flow) {
    const asks = linkToConfirm.read(flow) !== undefined || addressChange.read(flow)?.undo
    if (flow.state !== 'passed_challenge' && asks) return confirmForm(flow)
    if (flow.state !== 'passed_challenge') return addressForm()
    return [anchor('link', 'continue', continueUrl.read(flow) ?? '', messages.continueLabel)]
  },

  reveal(ctx, flow, node) {
    const link = linkToConfirm.read(flow)
    if (!link || nodeName(node) !== 'token') return node
    return withValue(node, ctx.secrets.decrypt('link token', link.token))
  },

  byLink: true,
  claims: (_flow, values) => holdsToken(values),
  parse: (_ctx, _flow, values) => readLinkInput(values),
  csrf: ({ state }, { kind }) => (kind === 'open' || state === 'passed_challenge' ? 'none' : 'required'),

  async submit(ctx, flow, input) {
    if (input.kind === 'open') return await open(ctx, flow, input.token)
    if (flow.state === 'passed_challenge') {
      return { kind: 'replace', message: messages.verificationAlreadyDone }
    }
    await sendLink(ctx, flow, input.email)
    return { kind: 'stay', flow: waiting(flow, input.email) }
  },

  challenge: mailLink,
})

function confirmForm(flow: Flow<'verification'>): UiNode[] {
  const label = addressChange.read(flow)?.undo ? ownMessages.undoLabel : messages.continueLabel
  return [hidden('link', 'token'), submit('link', 'link', label)]
}

async function open(
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
  const done = proofOf(flow, check.code)
  return done ? { kind: 'done', flow, done } : wrong
}

function waiting(flow: Flow<'verification'>, email: string): Flow<'verification'> {
  return mailedTo(flow, email, messages.verificationLinkSent, { email })
}
