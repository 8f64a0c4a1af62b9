import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { startEmbedded } from './embedded.ts'
import { runScenarios } from './run-scenarios.ts'
import type { Target } from './target.ts'

const HELP = `Looks at an identity service through the official client, and says where it keeps to the protocol.

  npm run conformance                                         the embedded service
  npm run conformance -- --public-url URL [--admin-url URL]   another one

  --public-url URL  where clients reach it
  --admin-url URL   where the operator does; without it whatever needs the operator or a mail is skipped.
                    ADMIN_TOKEN in the environment is sent there as a bearer token.
`

await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  try {
    const target = readTarget(args)
    if (target) await assertAnswers(target)
    test(`conformance of ${target?.publicUrl ?? 'the embedded service'}`, async (t) => {
      if (target) return await runScenarios(t, target, 'skips')
      const service = await startEmbedded('memory')
      t.after(() => service.stop())
      await runScenarios(t, service, 'skips')
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** What the words after the command name; nothing means the embedded service. */
function readTarget(args: readonly string[]): Target | undefined {
  const options = { 'public-url': { type: 'string' }, 'admin-url': { type: 'string' } } as const
  const { 'public-url': publicUrl, 'admin-url': adminUrl } = parse(args, options)
  if (publicUrl === undefined && adminUrl === undefined) return undefined
  if (publicUrl === undefined) throw new Error(`--admin-url needs --public-url beside it.\n\n${HELP}`)
  const { ADMIN_TOKEN: adminToken } = process.env
  return {
    publicUrl: addressOf('--public-url', publicUrl),
    ...(adminUrl === undefined ? {} : { adminUrl: addressOf('--admin-url', adminUrl) }),
    ...(adminToken === undefined ? {} : { adminToken }),
  }
}

function parse<const Options extends { readonly [name: string]: { readonly type: 'string' } }>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  }
}

function addressOf(option: string, value: string): string {
  const isAddress = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  if (!isAddress)
    throw new Error(`${option}: expected an address such as http://127.0.0.1:4433, got ${value}`)
  return value.replace(/\/+$/, '')
}

/** One sentence instead of a hundred failures. */
async function assertAnswers({ publicUrl, adminUrl }: Target): Promise<void> {
  for (const url of [publicUrl, adminUrl]) {
    if (url === undefined) continue
    await fetch(`${url}/health/alive`).catch((cause: unknown) => {
      throw new Error(`Nothing answers at ${url}.`, { cause })
    })
  }
}
