import type { KratosFeatures, MapperUse } from '@ostiary/identity'

/**
 * Loads each feature on use. Pass it to `createIdentity`, or in a product to `defineProduct`.
 *
 * @example
 * ```ts
 * import { createIdentity } from '@ostiary/identity'
 * import { kratos } from '@ostiary/kratos'
 *
 * const templates = { app: { claims_mapper_url: 'file://claims.jsonnet' } }
 * const identity = await createIdentity({ session: { whoami: { tokenizer: { templates } } } }, { kratos })
 * ```
 */
export const kratos: KratosFeatures = {
  compileJsonnet,
  async compileGoTemplate(source, as) {
    return (await import('./go-template/evaluate.ts')).compileGoTemplate(source, as)
  },
  async loadTexts() {
    const [{ inKratosWords }, { kratosWords }] = await Promise.all([
      import('./texts/messages.ts'),
      import('./texts/errors.ts'),
    ])
    return { message: inKratosWords, error: kratosWords }
  },
  async loadProvider(name) {
    return (await import('./providers/oauth.ts')).providers[name]
  },
}

async function compileJsonnet(code: string, use: MapperUse) {
  const { compile, writtenError } = await import('./jsonnet/jsonnet.ts')
  const program = compile(code)
  return async (input: Readonly<Record<string, unknown>>): Promise<unknown> => {
    try {
      return program(use === 'body' ? { args: input } : { variables: input })
    } catch (error) {
      // Any other message may quote the input, which must not skip a web hook (SEC-103).
      const isCancelled = use === 'body' && writtenError(error) === 'cancel'
      throw new Error(isCancelled ? 'cancel' : `Jsonnet: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    }
  }
}
