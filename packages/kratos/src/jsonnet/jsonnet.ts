import { evaluate } from './evaluate.ts'
import { toJson } from './operators.ts'
import { parse } from './parse.ts'
import { standardLibrary } from './standard.ts'
import { JsonnetError } from './tokens.ts'
import { type Budget, fromJson, isFunction, type Lazy, lazy, nested, newBudget } from './values.ts'

type Inputs = Readonly<Record<string, unknown>>

/** `variables` are read with `std.extVar`, and `args` go to a program that is a function. */
export type Program = (inputs: { readonly variables?: Inputs; readonly args?: Inputs }) => unknown

/**
 * Jsonnet without imports. Each run has its own budget, so that no input can take long or fill the memory.
 * Throws `JsonnetError`.
 */
export function compile(code: string): Program {
  const program = parse(code)
  return ({ variables = {}, args = {} }) => {
    const budget = newBudget()
    try {
      const std = standardLibrary(budget, valuesOf(budget, variables))
      const value = evaluate(program, { names: new Map([['std', () => std]]), budget })
      const named = valuesOf(budget, args)
      const output = isFunction(value) ? nested(budget, () => value.call({ positional: [], named })) : value
      return toJson(budget, output)
    } catch (error) {
      // The stack of this thread is smaller than Jsonnet's.
      if (error instanceof RangeError && /call stack/.test(error.message))
        throw new JsonnetError('max stack frames exceeded', { cause: error })
      throw error
    }
  }
}

/** The text of the program's own `error 'text'`. Undefined for any other error, which may quote the input. */
export function writtenError(error: unknown): string | undefined {
  return error instanceof JsonnetError ? error.userText : undefined
}

function valuesOf(budget: Budget, inputs: Inputs): Map<string, Lazy> {
  return new Map(Object.entries(inputs).map(([name, value]) => [name, lazy(() => fromJson(budget, value))]))
}
