import { messageOf } from '../../errors/errors.ts'
import { ConfigError } from '../checks/config-error.ts'

export type Mapper = (input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** `body`: a function of `ctx`. `claims`: the input is in external variables. */
export type JsonnetUse = 'body' | 'claims'

/** Throws `ConfigError` for what is no Jsonnet. */
export async function jsonnetMapper(path: string, code: string, use: JsonnetUse): Promise<Mapper> {
  // Only configurations with Jsonnet load it.
  const { compile } = await import('@my-app/jsonnet')
  const program = compileOr(() => compile(code), path)
  return async (input) => {
    try {
      return program(use === 'body' ? { args: input } : { variables: input })
    } catch (error) {
      const words = messageOf(error)
      // Kratos compatibility: `cancel` sends nothing.
      throw new Error(use === 'body' && words.includes('cancel') ? 'cancel' : words, { cause: error })
    }
  }
}

function compileOr<T>(work: () => T, path: string): T {
  try {
    return work()
  } catch (error) {
    throw new ConfigError([{ path, message: `is not Jsonnet: ${messageOf(error)}` }])
  }
}
