import type { KratosProvider } from '../providers.ts'

/** Features that only configurations of Ory Kratos need, from `@ostiary/kratos`. */
export interface KratosFeatures {
  /** Throws if the code is invalid. The program throws `cancel` only for a body's own `error 'cancel'`. */
  compileJsonnet(code: string, use: MapperUse): Promise<Mapper>
  /** Throws if the template is invalid. */
  compileGoTemplate(source: string, as: 'text' | 'html'): Promise<(data: object) => string>
  /** The `ProviderKind` of a sign-in provider. */
  loadProvider(name: KratosProvider): Promise<object>
}

/** `body`: a function of `ctx`. `claims`: the input is in external variables. */
export type MapperUse = 'body' | 'claims'

export type Mapper = (input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Names the package that is missing. */
export function needsKratos(feature: string): string {
  return `${feature} needs @ostiary/kratos. Install it, and pass its \`kratos\` to createIdentity, or in a product to defineProduct`
}
