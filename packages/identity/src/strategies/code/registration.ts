import { isDeepStrictEqual } from 'node:util'
import { checkCode } from '../../codes/check.ts'
import { type Context, type StepResult, step } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { codeAddresses } from '../../identities/factors.ts'
import { readCode, readTraits } from '../../identities/schema/decode.ts'
import { flowSchema, type IdentitySchema } from '../../identities/schema/schema.ts'
import { deriveFromTraits, traitValues } from '../../identities/schema/traits.ts'
import { countAttempt, refund } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { hasErrors } from '../../storage/flows/memo.ts'
import type { CountedAttempt } from '../../storage/limits.ts'
import { messages } from '../../ui/messages.ts'
import { submit } from '../../ui/nodes.ts'
import { sortRegistration } from '../../ui/sort.ts'
import { traitNodes } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import { codeFields, ownAddresses, readResend, refusedCode, sendRegistrationCodes } from './send.ts'

export const registration = step('registration', {
  nodes(ctx, flow): readonly UiNode[] {
    const traits = traitNodes(flowSchema(ctx.schemas, flow))
    if (flow.state === 'choose_method') {
      return [...traits, submit('code', 'code', messages.registrationSendCode)]
    }
    const resend = submit('code', 'code', messages.resendCode, 'resend')
    return [...traits, ...codeFields(messages.registrationCodeLabel), resend, ...backButton(ctx)]
  },

  // Kratos compatibility: build order right after a code is sent.
  arrange(ctx, flow, nodes, csrf) {
    if (flow.state === 'choose_method' || hasErrors(flow.memo)) return undefined
    const keys = flowSchema(ctx.schemas, flow).leaves.map(({ path }) => path)
    const fields = nodes.filter(({ group }) => group === 'default')
    return [...sortRegistration([csrf, ...fields], keys), ...nodes.filter((node) => !fields.includes(node))]
  },

  parse(ctx, flow, values) {
    const resends = readResend(values)
    if (flow.state === 'passed_challenge' && !resends) throw new FormError(messages.noRegistrationMethod)
    const schema = flowSchema(ctx.schemas, flow)
    const traits = readTraits(schema, values)
    if (flow.state === 'choose_method' || resends) return { traits }
    return { traits, typed: { code: readCode(values, 'code') } }
  },

  async submit(ctx, flow, { traits, typed }, { transient_payload }) {
    if (typed) return await useCode(ctx, flow, traits, typed.code)
    const schema = flowSchema(ctx.schemas, flow)
    const addresses = codeAddresses(deriveFromTraits(schema, traits).identifiers.code)
    if (addresses.length === 0) throw new FormError(messages.noIdentifier)
    const send = () => sendRegistrationCodes(ctx, flow, addresses, { traits, transient_payload })
    const claimedFlow = await countingEach(ctx, addresses, send)
    const memo = {
      ...claimedFlow.memo,
      values: { ...claimedFlow.memo.values, ...traitValues(schema, traits) },
      ...ownAddresses.entry(addresses),
      messages: [{ message: messages.registrationCodeSent }],
    }
    const sentFlow: Flow<'registration'> = { ...claimedFlow, state: 'sent_email', active: 'code', memo }
    return { kind: 'stay', flow: sentFlow, members: { transient_payload } }
  },
})

async function countingEach<Result>(ctx: Context, addresses: readonly string[], work: () => Promise<Result>) {
  const countedAttempts: CountedAttempt[] = []
  try {
    for (const account of addresses) countedAttempts.push(await countAttempt(ctx, { kind: 'mail', account }))
    return await work()
  } catch (error) {
    for (const one of countedAttempts) await refund(ctx, one)
    throw error
  }
}

function backButton({ config }: Context): UiNode[] {
  if (config.selfservice.flows.registration.style === 'unified') return []
  return [submit('profile', 'credential-selection', messages.registrationBack, 'screen')]
}

async function useCode(
  ctx: Context,
  flow: Flow<'registration'>,
  traits: JsonObject,
  typedCode: string | undefined,
): Promise<StepResult<'registration'>> {
  if (typedCode === undefined) throw new FormError(messages.required('code'), 'code')
  const schema = flowSchema(ctx.schemas, flow)
  if (!isAsShown(schema, flow, traits)) throw new FormError(messages.traitsChanged)
  const account = ownAddresses.read(flow)
  const check = await checkCode(ctx, { flow_id: flow.id, account, typedCode })
  if (check.kind !== 'right') return refusedCode(check, REFUSALS)
  // A code verifies only the address that it was sent to (SEC-02).
  const addresses = codeAddresses(deriveFromTraits(schema, traits).identifiers.code)
  if (!addresses.includes(check.code.address)) return refusedCode({ kind: 'wrong' }, REFUSALS)
  const completion = {
    traits,
    method: 'code' as const,
    credentials: [],
    consume: { code_id: check.code.id },
    verified: [check.code.address],
  }
  return { kind: 'completed', flow: { ...flow, state: 'passed_challenge' }, completion }
}

/** Hidden traits must be submitted unchanged, or left out. */
function isAsShown(schema: IdentitySchema, { memo }: Flow<'registration'>, traits: JsonObject): boolean {
  return Object.entries(traitValues(schema, traits)).every(([path, value]) =>
    isDeepStrictEqual(value, memo.values?.[path]),
  )
}

const REFUSALS = { wrong: messages.registrationCodeWrong, expired: messages.registrationFlowExpired }
