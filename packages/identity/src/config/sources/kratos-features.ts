import type { ProtocolErrorParts } from '../../errors/errors.ts'
import type { UiText } from '../../wire/text.ts'
import type { KratosProvider } from '../providers.ts'

/** Features that only configurations of Ory Kratos need, from `@ostiary/kratos`. */
export interface KratosFeatures {
  /** Throws if the code is invalid. The program throws `cancel` only for a body's own `error 'cancel'`. */
  compileJsonnet(code: string, use: MapperUse): Promise<Mapper>
  compileGoTemplate(source: string, as: 'text' | 'html'): Promise<(data: object) => string>
  /** For `selfservice.texts: kratos`. */
  loadTexts(): Promise<KratosTexts>
  /** The `ProviderKind` of a sign-in provider. */
  loadProvider(name: KratosProvider): Promise<object>
}

export interface KratosTexts {
  /** Returns a message with an unknown id unchanged. */
  message(message: UiText, now: Date): UiText
  error(parts: ProtocolErrorParts): ErrorWords
}

export interface ErrorWords {
  readonly message?: string
  readonly reason?: string
}

/** `body`: a function of `ctx`. `claims`: the input is in external variables. */
export type MapperUse = 'body' | 'claims'

export type Mapper = (input: Readonly<Record<string, unknown>>) => Promise<unknown>

export function needsKratos(feature: string): string {
  return `${feature} needs @ostiary/kratos. Install it, and pass its \`kratos\` to createIdentity, or in a product to defineProduct`
}
