import { messageOf } from '../../errors/errors.ts'
import { ConfigError } from '../checks/config-error.ts'

export type Mapper = (input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** Optional: a native addon with an install script. */
export const JSONNET_PACKAGE = '@hanazuki/node-jsonnet'

interface Evaluator {
  extCode(name: string, code: string): Evaluator
  tlaCode(name: string, code: string): Evaluator
  evaluateSnippet(code: string, file: string): Promise<string>
}

/** `body`: a function of `ctx`. `claims`: the input is in external variables. */
export type JsonnetUse = 'body' | 'claims'

/** Without Jsonnet, throws `ConfigError` with `example` as an equivalent module. */
export async function jsonnetMapper(
  path: string,
  { file, code, use, example }: { file: string; code: string; use: JsonnetUse; example: string },
): Promise<Mapper> {
  const create = await findEvaluator()
  if (!create) throw notInstalled(path, file, example)
  return async (input) => {
    const evaluator = Object.entries(input).reduce(
      // JSON is valid Jsonnet.
      (vm, [name, value]) => vm[use === 'body' ? 'tlaCode' : 'extCode'](name, JSON.stringify(value)),
      create(),
    )
    try {
      return JSON.parse(await evaluator.evaluateSnippet(code, file))
    } catch (error) {
      const words = messageOf(error)
      // Kratos compatibility: `cancel` sends nothing.
      throw new Error(use === 'body' && words.includes('cancel') ? 'cancel' : words, { cause: error })
    }
  }
}

async function findEvaluator(): Promise<(() => Evaluator) | undefined> {
  try {
    const { Jsonnet } = (await import(JSONNET_PACKAGE)) as { Jsonnet: new () => Evaluator }
    return () => new Jsonnet()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function notInstalled(path: string, file: string, example: string): ConfigError {
  const module = file.startsWith('base64://')
    ? 'file://mapper.mjs'
    : `file://${file.replace(/\.\w+$/, '.mjs')}`
  const message = `Jsonnet requires the package ${JSONNET_PACKAGE}. Run npm install ${JSONNET_PACKAGE}, or write the module ${module} instead, for example\n    ${example}`
  return new ConfigError([{ path, message }])
}
