import type { Context, Step } from '../contract/contract.ts'
import { FormError, WrongProof } from '../errors/errors.ts'
import { readText } from '../identities/schema/decode.ts'
import { credentialOf } from '../identities/subject.ts'
import { typedCode } from '../input/normalise.ts'
import { type CountedTurn, compareCounted } from '../limits/limits.ts'
import { isAnotherUser } from '../sessions/find.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import { messages } from '../ui/messages.ts'
import { input, submit } from '../ui/nodes.ts'
import type { JsonObject } from '../wire/identity.ts'
import type { UiText } from '../wire/text.ts'

/** A second factor that the user types: the code of an app, or a backup code. */
interface TypedFactor {
  readonly id: 'totp' | 'lookup_secret'
  readonly field: string
  readonly texts: {
    readonly label: UiText
    readonly submit: UiText
    readonly wrong: UiText
    readonly used: UiText
    readonly missing: UiText
  }
  readonly shortest?: number
  check(ctx: Context, credential: Credential, typed: TypedFactorCode, turn: CountedTurn): Promise<TypedCheck>
}

interface TypedFactorCode {
  readonly code: string
  /** As submitted. */
  readonly text: string
}

/** The credential's configuration after this use. Undefined if the code is wrong. */
type TypedCheck = JsonObject | 'used' | undefined

export function typedFactorLogin(factor: TypedFactor): Step<'login', TypedFactorCode> {
  const { id, field, texts, shortest = 0 } = factor
  return {
    nodes(_ctx, { requested_aal }, subject) {
      if (requested_aal !== 'aal2' || !credentialOf(subject, id)) return []
      return [
        input(id, field, 'text', { value: '', required: true, label: texts.label }),
        submit(id, id, texts.submit),
      ]
    },

    claims: ({ requested_aal }) => (requested_aal === 'aal2' ? false : 'never'),

    parse(_ctx, _flow, values) {
      const text = readText(values, field) ?? ''
      const code = typedCode(text)
      if (code === '') throw new FormError(messages.required(field), field)
      const { length } = [...code]
      if (length < shortest) throw new FormError(messages.tooShort(shortest, length), field)
      return { code, text }
    },

    async submit(ctx, flow, typed, { caller, subject }) {
      const credential = credentialOf(subject, id)
      if (!credential || (await isAnotherUser(ctx, flow, caller))) throw new FormError(texts.missing)
      const { identity_id } = credential
      const attempt = { kind: 'code' as const, account: identity_id, identity_id }
      const right = await compareCounted(ctx, attempt, (turn) => factor.check(ctx, credential, typed, turn))
      if (!right) throw new WrongProof(id, identity_id, texts.wrong)
      const { match: config, countedAttempt } = right
      if (config === 'used') throw new WrongProof(id, identity_id, texts.used)
      const evidence = { kind: 'credential' as const, credential, config, refusal: texts.used }
      const completion = { identity_id, method: id, aal: 'aal2' as const, evidence }
      return { kind: 'completed', flow, completion, countedAttempt }
    },
  }
}
