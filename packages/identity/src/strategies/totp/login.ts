import { step } from '../../contract/contract.ts'
import { checkTotp, secretOfTotpUrl } from '../../crypto/otp.ts'
import { FormError, WrongProof } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { guess } from '../../limits/guess.ts'
import { isAnotherUser } from '../../sessions/find.ts'
import { messages } from '../../ui/messages.ts'
import { input, submit } from '../../ui/nodes.ts'
import type { UiText } from '../../wire/text.ts'
import { openTotpUrl, sealTotpUrl, totpOf } from './stored.ts'

interface Input {
  readonly code: string
}

const LENGTH = 6
/** Clients treat this as a wrong code. */
const alreadyUsed: UiText = {
  ...messages.totpWrong,
  text: 'This code was already used. Please wait for the next one.',
}

export const login = step<'login', Input>('login', {
  nodes(_ctx, { requested_aal }, subject) {
    if (requested_aal !== 'aal2' || !totpOf(subject)) return []
    return [
      input('totp', 'totp_code', 'text', { value: '', required: true, label: messages.totpLabel }),
      submit('totp', 'totp', messages.loginTotp),
    ]
  },

  claims: ({ requested_aal }) => (requested_aal === 'aal2' ? false : 'never'),

  parse(_ctx, _flow, values) {
    const code = readText(values, 'totp_code')
    if (code === undefined) throw new FormError(messages.required('totp_code'), 'totp_code')
    const length = [...code].length
    if (length < LENGTH) throw new FormError(messages.tooShort(LENGTH, length), 'totp_code')
    return { code }
  },

  async submit(ctx, flow, { code }, { caller, subject }) {
    if (await isAnotherUser(ctx, flow, caller)) throw new FormError(messages.noTotp)
    const credential = totpOf(subject)
    if (!credential) throw new FormError(messages.noTotp)
    const { totp_url, last_step } = credential.config
    const account = credential.identity_id
    const url = openTotpUrl(ctx, totp_url)
    const wrong = (message: UiText) => new WrongProof('totp', account, message)
    const attempt = { kind: 'code' as const, account, identity_id: account }
    const right = await guess(ctx, attempt, async (turn) => {
      await turn.begin()
      const check = checkTotp(secretOfTotpUrl(url), code, ctx.now(), last_step)
      if (check.kind === 'used') throw wrong(alreadyUsed)
      return check.kind === 'right' ? check.step : undefined
    })
    if (!right) throw wrong(messages.totpWrong)
    // Re-encrypted, so that apps in use survive the removal of an old secret.
    const config = { ...credential.config, totp_url: sealTotpUrl(ctx, url), last_step: right.found }
    const use = { credential, config, refusal: alreadyUsed }
    const done = { identity_id: credential.identity_id, method: 'totp' as const, aal: 'aal2' as const, use }
    return { kind: 'done', flow, done, counted: right.counted }
  },
})
