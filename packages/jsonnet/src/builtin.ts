import type { Budget, Value } from './values.ts'

/** Its parameters, `name=` for one that may be omitted, and what it does with them. */
export type Builtin = readonly [params: string, run: (budget: Budget, ...args: Value[]) => Value]
export type Builtins = Readonly<Record<string, Builtin>>
