import { step } from '../../contract/contract.ts'
import { FormError, WrongProof } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { guess } from '../../limits/guess.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import type { UiText } from '../../wire/text.ts'
import { backupCodesOf, indexOfBackupCode } from './stored.ts'

interface Input {
  readonly code: string
}

/** Longer input costs no hash (SEC-15). */
const LONGEST = 64

export const login = step<'login', Input>('login', {
  nodes(_ctx, { requested_aal }, subject) {
    if (requested_aal !== 'aal2' || !backupCodesOf(subject)) return []
    const label = messages.backupCodeLabel
    return [
      input('lookup_secret', 'lookup_secret', 'text', { value: '', required: true, label }),
      submit('lookup_secret', 'lookup_secret', messages.loginBackupCode),
    ]
  },

  claims: ({ requested_aal }) => (requested_aal === 'aal2' ? false : 'never'),

  parse(_ctx, _flow, values) {
    const code = readText(values, 'lookup_secret')
    if (code === undefined) throw new FormError(messages.required('lookup_secret'), 'lookup_secret')
    return { code }
  },

  async submit(ctx, flow, { code }, { subject }) {
    const credential = backupCodesOf(subject)
    if (!credential) throw new FormError(messages.noBackupCodes)
    const wrong = (message: UiText) => new WrongProof('lookup_secret', credential.identity_id, message)
    if (code.length > LONGEST) throw wrong(messages.backupCodeWrong)
    const { recovery_codes } = credential.config
    const account = credential.identity_id
    const attempt = { kind: 'code' as const, account, identity_id: account }
    const right = await guess(ctx, attempt, (turn) => indexOfBackupCode(ctx, credential.config, code, turn))
    const found = right && recovery_codes[right.found]
    if (!right || !found) throw wrong(messages.backupCodeWrong)
    if (found.used_at !== null) throw wrong(messages.backupCodeSpent)
    const consumed = { ...found, used_at: ctx.now().toISOString() }
    const config = { ...credential.config, recovery_codes: recovery_codes.with(right.found, consumed) }
    const use = { credential, config, refusal: messages.backupCodeSpent }
    const done = {
      identity_id: credential.identity_id,
      method: 'lookup_secret' as const,
      aal: 'aal2' as const,
      use,
    }
    return { kind: 'done', flow, done, counted: right.counted }
  },
})
