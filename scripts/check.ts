import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { styleText } from 'node:util'
import { root } from './root.ts'

interface Check {
  readonly name: string
  readonly args: readonly string[]
  /** Print the output even if the check passes. */
  readonly telling?: boolean
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--fix')) {
    console.error('npm run check knows one option: -- --fix')
    return 1
  }
  const checks = listChecks(args.includes('--fix'))
  const waiting = [...checks]
  const failedChecks: string[] = []
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      if (!(await passes(check))) failedChecks.push(check.name)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  console.log(
    failedChecks.length === 0
      ? `\nAll ${checks.length} checks passed.`
      : `\n${failedChecks.length} of ${checks.length} checks failed: ${failedChecks.join(', ')}.`,
  )
  return failedChecks.length === 0 ? 0 : 1
}

/** Slowest first, so that a short one finishes last. */
function listChecks(fix: boolean): Check[] {
  return [
    { name: 'size of the web app', args: ['scripts/weigh.ts'], telling: true },
    ...['.', 'packages', 'app/web', 'e2e', 'examples/readlist'].map((folder) => ({
      name: folder === '.' ? 'types' : `types of ${folder}`,
      args: ['node_modules/typescript/bin/tsc', '-p', folder],
    })),
    {
      name: 'format and lint',
      args: ['node_modules/@biomejs/biome/bin/biome', 'check', ...(fix ? ['--write'] : [])],
    },
    { name: 'unused code', args: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
    { name: 'import rules', args: ['--test', '--test-reporter=dot', 'scripts/architecture/*.test.ts'] },
    ...(fix ? ['differences', 'settings'] : []).map((name) => ({
      name: `document of ${name}`,
      args: [`scripts/documents/${name}.ts`],
    })),
  ]
}

async function passes({ name, args, telling }: Check): Promise<boolean> {
  const started = performance.now()
  const { code, output } = await capture(args)
  const seconds = styleText('dim', `${((performance.now() - started) / 1000).toFixed(1)} s`)
  const mark = code === 0 ? styleText('green', 'ok  ') : styleText('red', 'FAIL')
  console.log(`  ${mark} ${name}  ${seconds}`)
  if (code !== 0 || telling) console.log(output.trimEnd().replaceAll(/^/gm, '       '))
  return code === 0
}

function capture(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root })
    let output = ''
    const add = (text: Buffer) => {
      output += text
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
