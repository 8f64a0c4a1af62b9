import type { Context, StepResult, Submission } from '../../contract/contract.ts'
import { step } from '../../contract/contract.ts'
import { newBackupCodes } from '../../crypto/otp.ts'
import { FormError } from '../../errors/errors.ts'
import { readFlag } from '../../identities/schema/decode.ts'
import { turnOf } from '../../limits/guess.ts'
import { count, refundOnFailure } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { submit, text } from '../../ui/nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import type { StoredCodes } from './stored.ts'
import { backupCodesOf, hashBackupCodes } from './stored.ts'

/** In order of precedence. */
const INTENTS = ['confirm', 'reveal', 'disable', 'regenerate'] as const
type Intent = (typeof INTENTS)[number]

const areShown = memoPart<boolean>('lookup_secret')

/** After the confirmation, only hashes are left (SEC-59). */
export const settings = step<'settings', Intent>('settings', {
  whenDisabled: { claimed: true },
  nodes(_ctx, flow, subject): readonly UiNode[] {
    if (freshCodes(flow) !== undefined) {
      return [list([], messages.backupCodesLabel), button('confirm', messages.backupCodesConfirm)]
    }
    const own = backupCodesOf(subject)
    const regenerate = button('regenerate', messages.backupCodesRegenerate)
    if (!own) return [regenerate]
    const disable = button('disable', messages.backupCodesDisable)
    if (!areShown.read(flow)) return [button('reveal', messages.backupCodesReveal), disable]
    return [list(stateOf(own.config), hiddenLabel), disable, regenerate]
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
        return await confirm(ctx, flow)
      case 'reveal':
        if (!backupCodesOf(subject)) throw new FormError(messages.generic('You have no backup codes yet.'))
        return show(flow, transient_payload)
      case 'disable':
        return {
          kind: 'done',
          flow,
          done: { method: 'lookup_secret', change: { remove: ['lookup_secret'] } },
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

function stateOf({ recovery_codes }: StoredCodes): UiText[] {
  return recovery_codes.map(({ used_at }) =>
    used_at === null ? messages.backupCode(UNREADABLE) : messages.backupCodeUsed(used_at),
  )
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

async function confirm(ctx: Context, flow: Flow<'settings'>): Promise<StepResult<'settings'>> {
  const fresh = freshCodes(flow)
  if (fresh === undefined || flow.identity_id === undefined) {
    throw new FormError(messages.generic('Please create new backup codes first.'))
  }
  const { identity_id } = flow
  const counted = await count(ctx, { kind: 'flow' })
  const config = await refundOnFailure(ctx, counted, async () =>
    hashBackupCodes(ctx, openCodes(ctx, fresh), await turnOf(ctx, identity_id)),
  )
  const put = [{ type: 'lookup_secret' as const, identifiers: [identity_id], config }]
  const proved = { method: 'lookup_secret' as const, aal: 'aal2' as const }
  return { kind: 'done', flow, done: { method: 'lookup_secret', change: { put }, counted, proved } }
}

function show(flow: Flow<'settings'>, transient_payload: JsonObject, fresh?: string): StepResult<'settings'> {
  const memo = {
    ...flow.memo,
    ...areShown.entry(true),
    unconfirmed: { ...flow.memo.unconfirmed, [ID]: fresh },
    last_group: 'lookup_secret' as const,
    messages: [],
  }
  return { kind: 'stay', flow: { ...flow, memo }, shown: { transient_payload } }
}
