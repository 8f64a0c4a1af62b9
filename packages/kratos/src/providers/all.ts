import type { KratosProvider, ProviderKind } from '@ostiary/identity/providers'
import { oauth } from './oauth.ts'
import { x } from './x.ts'

export const providers: Readonly<Record<KratosProvider, ProviderKind>> = { ...oauth, x }
