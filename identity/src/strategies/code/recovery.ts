import { withinBudget } from '../../codes/budget.ts'
import { checkCode, codeExhausted, codeTriedTooOften, codeUsed } from '../../codes/check.ts'
import { issueCode } from '../../codes/issue.ts'
import type { Context, StepResult } from '../../contract.ts'
import { step, transact } from '../../contract.ts'
import { queueMail } from '../../courier/queue.ts'
import { readText } from '../../identities/decode.ts'
import { isEmail } from '../../identities/formats.ts'
import { normaliseIdentifier } from '../../identities/traits.ts'
import { deleteCodes } from '../../storage/codes.ts'
import type { Flow } from '../../storage/flows.ts'
import { findAddress } from '../../storage/identities.ts'
import { messages } from '../../ui/messages.ts'
import { awaitingCode, goBack, offerAddresses, select } from './recovery-choice.ts'
import { recoveryNodes } from './recovery-nodes.ts'
import type { Wish } from './recovery-wish.ts'
import { readWish } from './recovery-wish.ts'

/** Getting back in with a mailed code. Protocol 2, 2.2 to 2.5. */
export const recovery = step<'recovery', Wish>('recovery', {
  nodes: (_ctx, flow) => recoveryNodes(flow),

  claims(flow, values) {
    if (flow.memo.choice || flow.memo.by_operator) return true
    return flow.state !== 'choose_method' && readText(values, 'email') === undefined
  },

  parse: (_ctx, flow, values) => readWish(flow, values),

  // An operator gave the code to a person, who may type it in any browser.
  provesItself: (flow) => flow.memo.by_operator === true,

  async submit(ctx, flow, wish) {
    if (wish.kind === 'try') return await tryCode(ctx, flow, wish)
    const shown = { transient_payload: wish.transient_payload }
    if (flow.state === 'passed_challenge') return { kind: 'replace', message: messages.recoveryAlreadyDone }
    switch (wish.kind) {
      case 'back':
        return { kind: 'stay', flow: goBack(flow), shown }
      case 'select':
        return { kind: 'stay', flow: await selected(ctx, flow, wish.hash), shown }
      case 'find':
        return { kind: 'stay', flow: await found(ctx, flow, wish.address), shown }
      case 'send':
        return { kind: 'stay', flow: await send(ctx, flow, wish.address), shown }
    }
  },
})

async function tryCode(
  ctx: Context,
  flow: Flow<'recovery'>,
  { code: typed, transient_payload }: Extract<Wish, { kind: 'try' }>,
): Promise<StepResult<'recovery'>> {
  const sentTo = flow.memo.code?.address
  const address = sentTo === undefined ? undefined : normaliseIdentifier('code', sentTo)
  const check = await checkCode(ctx, { flow_id: flow.id, address, typed })
  switch (check.kind) {
    case 'right': {
      const { id, identity_id, address_id } = check.code
      if (identity_id === undefined) break
      const spend = { code_id: id }
      const method = 'code_recovery' as const
      return { kind: 'done', flow, done: { identity_id, method, spend, address_id, transient_payload } }
    }
    case 'used':
      return { kind: 'replace', message: codeUsed }
    case 'too-often':
      return { kind: 'replace', message: codeTriedTooOften }
    case 'exhausted':
      return { kind: 'replace', message: codeExhausted }
    case 'expired':
    case 'wrong':
      break
  }
  const memo = { ...flow.memo, messages: [{ message: messages.recoveryCodeWrong }] }
  // Recorded: where the address was chosen, this one answer leaves the payload out.
  return { kind: 'stay', flow: { ...flow, memo }, shown: flow.memo.choice ? {} : { transient_payload } }
}

async function selected(ctx: Context, flow: Flow<'recovery'>, hash: string): Promise<Flow<'recovery'>> {
  const next = select(flow, hash)
  return typeof next === 'string' ? await send(ctx, flow, next) : next
}

async function found(ctx: Context, flow: Flow<'recovery'>, address: string): Promise<Flow<'recovery'>> {
  const offered = await offerAddresses(ctx, flow, address)
  return offered.memo.choice?.offers ? offered : await send(ctx, offered, address)
}

/** The answer is the same for an address that nobody has (SEC-13), and where its budget is used up (SEC-03). */
async function send(ctx: Context, flow: Flow<'recovery'>, typed: string): Promise<Flow<'recovery'>> {
  const address = normaliseIdentifier('code', typed)
  const known = await findAddress(ctx.db, 'recovery', 'email', address)
  const granted = await withinBudget(ctx, 'send', address)
  await transact(ctx, async (ctx) => {
    // A code that went elsewhere is dead from now on: the form speaks of another address (SEC-02).
    if (flow.memo.code?.address !== typed) await deleteCodes(ctx.db, flow.id)
    if (!granted) return
    if (known) await mailCode(ctx, flow, { ...known, address: known.value })
    else await tellStranger(ctx, typed)
  })
  return flow.memo.choice ? awaitingCode(flow, typed) : waiting(flow, typed)
}

interface Recipient {
  readonly id: string
  readonly identity_id: string
  readonly address: string
}

/** The mail goes to the address as it is stored, never as it was typed (SEC-07). */
async function mailCode(
  ctx: Context,
  flow: Flow<'recovery'>,
  { id, identity_id, address }: Recipient,
): Promise<void> {
  const target = { flow_id: flow.id, address, address_id: id, identity_id }
  const { code, expires_at } = await issueCode(ctx, target)
  const expires_in_minutes = Math.ceil(ctx.config.selfservice.methods.code.config.lifespan / 60_000)
  await queueMail(ctx, {
    template_type: 'recovery_code_valid',
    recipient: address,
    data: { code, expires_in_minutes },
    expires_at,
  })
}

async function tellStranger(ctx: Context, typed: string): Promise<void> {
  if (!ctx.config.selfservice.flows.recovery.notify_unknown_recipients || !isEmail(typed)) return
  await queueMail(ctx, { template_type: 'recovery_code_invalid', recipient: typed, data: {} })
}

function waiting(flow: Flow<'recovery'>, address: string): Flow<'recovery'> {
  const memo = {
    ...flow.memo,
    values: {},
    code: { address },
    messages: [{ message: messages.recoveryCodeSent }],
  }
  return { ...flow, state: 'sent_email', active: 'code', memo }
}
