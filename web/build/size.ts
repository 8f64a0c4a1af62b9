import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { demoPages } from './demo-pages.ts'

const dist = join(import.meta.dirname, '../dist')
/** In bytes, compressed with gzip: all JavaScript of the home page, and of the whole app without the demo. */
const HOME_BUDGET = 110_000
const APP_BUDGET = 150_000

interface Weight {
  readonly name: string
  readonly bytes: number
  readonly budget: number
}

/** What the pages weigh, following the imports of the built files. */
export async function weighBuild(): Promise<Weight[]> {
  const home = await scriptsOf('index.html')
  const app = await withDynamicImports(home)
  const demo = await Promise.all(Object.values(demoPages).map(scriptsOf))
  const onlyDemo = new Set(demo.flatMap((files) => [...files]).filter((file) => !app.has(file)))
  const css = (await readdir(join(dist, 'assets'))).filter((file) => file.endsWith('.css'))
  return [
    { name: 'home, JavaScript', bytes: await weigh(home), budget: HOME_BUDGET },
    { name: 'whole app, JavaScript', bytes: await weigh(app), budget: APP_BUDGET },
    { name: 'demo, of its own', bytes: await weigh(onlyDemo), budget: Number.POSITIVE_INFINITY },
    { name: 'styles', bytes: await weigh(css), budget: Number.POSITIVE_INFINITY },
  ]
}

async function scriptsOf(page: string): Promise<Set<string>> {
  const html = await readFile(join(dist, page), 'utf8')
  const linked = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, file = '']) => file)
  return await closure(linked, /(?:from|import)\s*"\.\/([^"]+\.js)"/g)
}

async function withDynamicImports(files: Iterable<string>): Promise<Set<string>> {
  return await closure([...files], /"(?:\.\/|assets\/)([^"]+\.js)"/g)
}

async function closure(start: readonly string[], reference: RegExp): Promise<Set<string>> {
  const found = new Set<string>()
  const waiting = [...start]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const source = await readFile(join(dist, 'assets', file), 'utf8')
    for (const [, imported = ''] of source.replaceAll(/[`']/g, '"').matchAll(reference))
      waiting.push(imported)
  }
  return found
}

async function weigh(files: Iterable<string>): Promise<number> {
  let bytes = 0
  for (const file of files) bytes += gzipSync(await readFile(join(dist, 'assets', file)), { level: 9 }).length
  return bytes
}

function printWeight({ name, bytes, budget }: Weight): void {
  const limit = Number.isFinite(budget) ? `of ${kilobytes(budget)}` : ''
  console.log(`${name.padEnd(24)} ${kilobytes(bytes).padStart(9)} ${limit}`)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

if (import.meta.main) {
  const weights = await weighBuild()
  for (const weight of weights) printWeight(weight)
  const heavy = weights.filter(({ bytes, budget }) => bytes > budget)
  for (const { name, budget } of heavy)
    console.error(`Too heavy: ${name} may weigh ${kilobytes(budget)} gzip.`)
  if (heavy.length > 0) process.exitCode = 1
}
