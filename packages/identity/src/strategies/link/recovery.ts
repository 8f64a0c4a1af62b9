import { checkToken } from '../../codes/check.ts'
import { mailedTo } from '../../codes/memo.ts'
import type { Context, StepResult } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { LinkInput } from './form.ts'
import { addressForm, holdsToken, readLinkInput } from './form.ts'
import { sendLink } from './mail.ts'

export const recovery = step<'recovery', LinkInput>('recovery', {
  whenDisabled: { named: true, claimed: true },
  nodes: () => addressForm(),
  byLink: true,
  claims: (_flow, values) => holdsToken(values),
  parse: (_ctx, _flow, values) => readLinkInput(values),
  csrf: (_flow, { kind }) => (kind === 'open' ? 'none' : 'required'),

  async submit(ctx, flow, input, { transient_payload }) {
    if (input.kind === 'open') return await open(ctx, flow, input.token)
    if (flow.state === 'passed_challenge') return { kind: 'replace', message: messages.recoveryAlreadyDone }
    await sendLink(ctx, flow, input.email)
    const { email } = input
    const next = mailedTo(flow, email, messages.recoveryLinkSent, { email })
    return { kind: 'stay', flow: next, shown: { transient_payload } }
  },
})

async function open(ctx: Context, flow: Flow<'recovery'>, token: string): Promise<StepResult<'recovery'>> {
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
  return { kind: 'done', flow, done: { identity_id, method: 'link_recovery', consume, address_id } }
}
