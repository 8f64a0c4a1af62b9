import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { program } from './program.ts'

export const schema = {
  type: 'object',
  properties: { traits: { type: 'object', properties: { email: { type: 'string' } } } },
}

export const settings = {
  dsn: 'memory',
  dev: true,
  log: { level: 'warning' },
  secrets: { default: ['a-secret-of-the-tests'] },
  serve: {
    // A busy machine refuses no form.
    public: { host: '127.0.0.1', port: 0, base_url: 'http://127.0.0.1:4433/', max_delay: '0s' },
    admin: { host: '127.0.0.1', port: 0 },
  },
  selfservice: { default_browser_return_url: 'https://app.test/' },
  identity: {
    schemas: [{ id: 'default', url: `base64://${Buffer.from(JSON.stringify(schema)).toString('base64')}` }],
  },
}

/** Cleans up at the end of the calling file. */
export function serviceProcesses() {
  const folder = mkdtempSync(join(tmpdir(), 'identity-main-'))
  after(() => rmSync(folder, { recursive: true }))
  return {
    folder,
    /** Merged over the settings above. */
    file(name: string, members: object = {}): string {
      const path = join(folder, name)
      writeFileSync(path, JSON.stringify({ ...settings, ...members }))
      return path
    },
    start: (...args: string[]) => startWith({}, ...args),
    startWith,
  }
}

function startWith(variables: Readonly<Record<string, string>>, ...args: string[]) {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe', env })
  after(() => child.kill('SIGKILL'))
  let output = ''
  const waiting: (() => void)[] = []
  const take = (chunk: Buffer) => {
    output += chunk
    for (const wake of waiting.splice(0)) wake()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const shown = async (pattern: RegExp): Promise<string> => {
    const match = pattern.exec(output)
    if (match) return match[1] ?? ''
    await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), ended])
    assert.equal(child.exitCode, null, output)
    return await shown(pattern)
  }
  return { child, ended, shown, output: () => output }
}
