import { typedFactorLogin } from '../codes/typed-factor.ts'
import { type Context, type StepResult, type Strategy, type Submission, step } from '../contract/contract.ts'
import { newBackupCodes } from '../crypto/otp.ts'
import type { HashRequest } from '../crypto/passwords/hash-queue.ts'
import { isEqual } from '../crypto/secrets.ts'
import { FormError } from '../errors/errors.ts'
import { readFlag } from '../identities/schema/decode.ts'
import { credentialOf } from '../identities/subject.ts'
import { countAttempt, hashRequestFor, refundOnFailure } from '../limits/limits.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { storedFlowField } from '../storage/flows/memo.ts'
import { messages } from '../ui/messages.ts'
import { submit, text } from '../ui/nodes.ts'
import type { JsonObject } from '../wire/identity.ts'
import type { UiNode } from '../wire/node.ts'
import type { UiText } from '../wire/text.ts'

interface StoredCode extends JsonObject {
  /** argon2id. */
  readonly hash: string
  /** RFC 3339. `null` if unused. */
  readonly used_at: string | null
}

export interface StoredCodes extends JsonObject {
  readonly recovery_codes: readonly StoredCode[]
}

/** A shared salt costs one hash instead of twelve, and with 50 bits hardly helps an attacker. */
export async function hashBackupCodes(
  ctx: Context,
  codes: readonly string[],
  turn: HashRequest,
): Promise<StoredCodes> {
  const [first = '', ...rest] = codes
  const hashes = [await ctx.hasher.hashArgon2(first, undefined, turn)]
  // Each client has few places in the queue.
  for (const code of rest) hashes.push(await ctx.hasher.hashArgon2(code, hashes[0] ?? '', turn))
  return { recovery_codes: hashes.map((hash) => ({ hash, used_at: null })) }
}

/** Longer input costs no hash (SEC-15). */
const LONGEST = 64

const login = typedFactorLogin({
  id: 'lookup_secret',
  field: 'lookup_secret',
  texts: {
    label: messages.backupCodeLabel,
    submit: messages.loginBackupCode,
    wrong: messages.backupCodeWrong,
    used: messages.backupCodeSpent,
    missing: messages.noBackupCodes,
  },
  async check(ctx, credential, { code, text }, turn) {
    const { recovery_codes } = credential.config as StoredCodes
    const [firstCode] = recovery_codes
    if (!firstCode || text.length > LONGEST) {
      await turn.begin()
      return undefined
    }
    const indexOf = async (typed: string, turn: HashRequest) => {
      const hash = Buffer.from(await ctx.hasher.hashArgon2(typed, firstCode.hash, turn))
      return recovery_codes.findIndex((one) => isEqual(Buffer.from(one.hash), hash))
    }
    const { begin: _, ...uncounted } = turn
    let index = await indexOf(code, turn)
    // Earlier imports were hashed as the other service spelled them.
    if (index < 0 && text !== code) index = await indexOf(text, uncounted)
    const matchingCode = recovery_codes[index]
    if (!matchingCode) return undefined
    if (matchingCode.used_at !== null) return 'used'
    const spent = { ...matchingCode, used_at: ctx.now().toISOString() }
    return { ...credential.config, recovery_codes: recovery_codes.with(index, spent) }
  },
})

/** In order of precedence. */
const INTENTS = ['confirm', 'reveal', 'disable', 'regenerate'] as const
type Intent = (typeof INTENTS)[number]

const areShown = storedFlowField<boolean>('lookup_secret')

/** After the confirmation, only hashes are left (SEC-59). */
const settings = step('settings', {
  whenDisabled: { claimed: true },
  nodes(_ctx, flow, subject): readonly UiNode[] {
    if (freshCodes(flow) !== undefined) {
      return [list([], messages.backupCodesLabel), button('confirm', messages.backupCodesConfirm)]
    }
    const storedCredential = credentialOf(subject, 'lookup_secret')
    const regenerate = button('regenerate', messages.backupCodesRegenerate)
    if (!storedCredential) return [regenerate]
    const disable = button('disable', messages.backupCodesDisable)
    if (!areShown.read(flow)) return [button('reveal', messages.backupCodesReveal), disable]
    const { recovery_codes } = storedCredential.config as StoredCodes
    const states = recovery_codes.map(({ used_at }) =>
      used_at === null ? messages.backupCode(UNREADABLE) : messages.backupCodeUsed(used_at),
    )
    return [list(states, hiddenLabel), disable, regenerate]
  },

  reveal(ctx, flow, node) {
    const fresh = freshCodes(flow)
    if (fresh === undefined || node.type !== 'text' || node.attributes.id !== CODES) return node
    return list(openCodes(ctx, fresh).map(messages.backupCode), messages.backupCodesLabel)
  },

  claims: (_flow, { method, ...values }) =>
    (!method || method === 'lookup_secret') && intentOf(values) !== undefined,

  parse(_ctx, _flow, values) {
    const intent = intentOf(values)
    if (intent === undefined) throw new FormError(messages.noSettingsMethod)
    return intent
  },

  privileged: () => true,

  async submit(ctx, flow, intent, { subject, transient_payload }) {
    switch (intent) {
      case 'confirm':
        return await confirmCodes(ctx, flow)
      case 'reveal':
        if (!credentialOf(subject, 'lookup_secret'))
          throw new FormError(messages.generic('You have no backup codes yet.'))
        return show(flow, transient_payload)
      case 'disable':
        return {
          kind: 'completed',
          flow,
          completion: { method: 'lookup_secret', change: { remove: ['lookup_secret'] } },
        }
      case 'regenerate': {
        const fresh = ctx.secrets.encrypt(PURPOSE, JSON.stringify(newBackupCodes()))
        return show(flow, transient_payload, fresh)
      }
    }
  },
})

const ID = 'lookup_secret'
const CODES = 'lookup_secret_codes'
const PURPOSE = 'backup codes'
const hiddenLabel: UiText = {
  ...messages.backupCodesLabel,
  text: 'Backup codes cannot be shown again. If you have lost them, please create new ones.',
}
const UNREADABLE = '••••••••••'

function button(intent: Intent, label: UiText): UiNode {
  return submit('lookup_secret', 'true', label, `lookup_secret_${intent}`)
}

function list(codes: readonly UiText[], label: UiText): UiNode {
  return text('lookup_secret', CODES, messages.backupCodesList(codes), label)
}

function intentOf(values: Submission['values']): Intent | undefined {
  return INTENTS.find((intent) => readFlag(values, `lookup_secret_${intent}`))
}

function freshCodes({ memo }: Flow<'settings'>): string | undefined {
  return memo.unconfirmed?.[ID]
}

function openCodes(ctx: Context, sealed: string): string[] {
  return JSON.parse(ctx.secrets.decrypt(PURPOSE, sealed)) as string[]
}

async function confirmCodes(ctx: Context, flow: Flow<'settings'>): Promise<StepResult<'settings'>> {
  const codes = freshCodes(flow)
  if (codes === undefined || flow.identity_id === undefined) {
    throw new FormError(messages.generic('Please create new backup codes first.'))
  }
  const { identity_id } = flow
  const countedAttempt = await countAttempt(ctx, { kind: 'flow' })
  const config = await refundOnFailure(ctx, countedAttempt, async () =>
    hashBackupCodes(ctx, openCodes(ctx, codes), await hashRequestFor(ctx, identity_id)),
  )
  const put = [{ type: 'lookup_secret' as const, identifiers: [identity_id], config }]
  const proved = { method: 'lookup_secret' as const, aal: 'aal2' as const }
  return {
    kind: 'completed',
    flow,
    completion: { method: 'lookup_secret', change: { put }, countedAttempt, proved },
  }
}

function show(flow: Flow<'settings'>, transient_payload: JsonObject, codes?: string): StepResult<'settings'> {
  const memo = {
    ...flow.memo,
    ...areShown.entry(true),
    unconfirmed: { ...flow.memo.unconfirmed, [ID]: codes },
    last_group: 'lookup_secret' as const,
    messages: [],
  }
  return { kind: 'stay', flow: { ...flow, memo }, members: { transient_payload } }
}

export const lookupSecret: Strategy = {
  id: 'lookup_secret',
  group: 'lookup_secret',
  leavesIdentifier: true,
  admin: { remove: () => ({ remove: ['lookup_secret'] }) },
  secretFields: [{ name: 'lookup_secret', cleared: true }],
  enabled: (config) => config.selfservice.methods.lookup_secret.enabled,
  steps: { login, settings },
  factors: () => ['aal2'],
}
