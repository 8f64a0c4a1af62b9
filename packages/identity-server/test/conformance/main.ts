import { test } from 'node:test'
import { parseArgs } from 'node:util'
import type { Target } from './target.ts'

await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  try {
    const { target, ...manner } = readArguments(args)
    if (target) await assertAnswers(target)
    // A mistyped option is reported without them.
    const { runScenarios } = await import('./run-scenarios.ts')
    test(`conformance of ${target?.publicUrl ?? 'the embedded service'}`, async (t) => {
      if (target) return await runScenarios(t, target, { ...manner, absent: 'skips', together: false })
      const { startEmbedded } = await import('./embedded.ts')
      const service = await startEmbedded(process.env.DSN ?? 'memory')
      t.after(() => service.stop())
      await runScenarios(t, service, { ...manner, absent: 'skips', together: true })
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/** `--help` is in scripts/commands.mjs. */
function readArguments(args: readonly string[]): { target?: Target; only?: string } {
  const text = { type: 'string' } as const
  const options = { 'public-url': text, 'admin-url': text, only: text }
  const { only, ...addresses } = parseArgs({ args: [...args], options }).values
  const target = targetOf(addresses)
  return { ...(target && { target }), ...(only === undefined ? {} : { only }) }
}

function targetOf(addresses: { 'public-url'?: string; 'admin-url'?: string }): Target | undefined {
  const { 'public-url': publicUrl, 'admin-url': adminUrl } = addresses
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

async function assertAnswers({ publicUrl, adminUrl }: Target): Promise<void> {
  for (const url of [publicUrl, adminUrl]) {
    if (url === undefined) continue
    await fetch(`${url}/health/alive`).catch((cause: unknown) => {
      throw new Error(`Nothing answers at ${url}.`, { cause })
    })
  }
}
