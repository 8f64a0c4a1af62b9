import { test } from 'node:test'
import { parseArgs } from 'node:util'
import type { Target } from './target.ts'

await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  try {
    const target = readTarget(args)
    if (target) await assertAnswers(target)
    // Loaded late: who mistyped an option need not wait for them.
    const { runScenarios } = await import('./run-scenarios.ts')
    test(`conformance of ${target?.publicUrl ?? 'the embedded service'}`, async (t) => {
      if (target) return await runScenarios(t, target, { absent: 'skips', together: false })
      const { startEmbedded } = await import('./embedded.ts')
      const service = await startEmbedded('memory')
      t.after(() => service.stop())
      await runScenarios(t, service, { absent: 'skips', together: true })
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** What the words after the command name; nothing means the embedded service. `--help` is in scripts/commands.mjs. */
function readTarget(args: readonly string[]): Target | undefined {
  const options = { 'public-url': { type: 'string' }, 'admin-url': { type: 'string' } } as const
  const { 'public-url': publicUrl, 'admin-url': adminUrl } = parseArgs({ args: [...args], options }).values
  if (publicUrl === undefined && adminUrl === undefined) return undefined
  if (publicUrl === undefined) throw new Error('--admin-url needs --public-url beside it.')
  const { ADMIN_TOKEN: adminToken } = process.env
  return {
    publicUrl: addressOf('--public-url', publicUrl),
    ...(adminUrl === undefined ? {} : { adminUrl: addressOf('--admin-url', adminUrl) }),
    ...(adminToken === undefined ? {} : { adminToken }),
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
