import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { runScenarios } from './run-scenarios.ts'
import type { Target } from './target.ts'

export { runScenarios }

export interface Service extends Target {
  stop(): Promise<void>
}

/**
 * Runs the command line `URL [--admin URL] [--only AREA]`, as tests of Node's runner.
 *
 * @param start starts the service to check when no URL is given
 */
export async function conformance(args: readonly string[], start: () => Promise<Service>): Promise<void> {
  try {
    const { target, only } = readArguments(args)
    if (target) await assertAnswers(target)
    const service: Target & Partial<Service> = target ?? (await start())
    test(`conformance of ${service.publicUrl}`, async (t) => {
      t.after(() => service.stop?.())
      await runScenarios(t, service, { only, absent: 'skips', together: !target })
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

function readArguments(args: readonly string[]): { target: Target | undefined; only: string } {
  const text = { type: 'string' } as const
  const { positionals, values } = parseArgs({
    args: [...args],
    options: { admin: text, only: text },
    allowPositionals: true,
  })
  const [publicUrl, more] = positionals
  if (more !== undefined) throw new Error(`One URL at a time, got ${positionals.join(' ')}`)
  const { only = '', admin } = values
  if (publicUrl === undefined) {
    if (admin !== undefined) throw new Error('--admin needs the public URL before it.')
    return { target: undefined, only }
  }
  const { ADMIN_TOKEN: adminToken } = process.env
  const target = {
    publicUrl: addressOf('URL', publicUrl),
    ...(admin === undefined ? {} : { adminUrl: addressOf('--admin', admin) }),
    ...(adminToken === undefined ? {} : { adminToken }),
  }
  return { target, only }
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
