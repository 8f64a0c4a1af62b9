import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const dist = resolve('app/web/dist')

interface Bounds {
  readonly budget: number
  readonly released?: number
}

/** In bytes, gzipped: the scripts that a visit of a page loads. `released`: as of version 1.0.0. Each release writes its own. */
const pageBounds: Readonly<Record<string, Bounds>> = {
  '/': { budget: 120_000, released: 106_500 },
  '/about': { budget: 120_000, released: 106_300 },
  '/login': { budget: 150_000, released: 143_200 },
  '/register': { budget: 150_000, released: 137_900 },
  '/verify': { budget: 150_000, released: 140_400 },
  '/recovery': { budget: 150_000, released: 139_800 },
  '/dashboard': { budget: 140_000, released: 129_800 },
  '/error': { budget: 140_000, released: 115_500 },
}
const bounds = {
  // The first three count besides what the dashboard, or the page with the panel, has loaded.
  accountPage: { budget: 10_000 },
  otherPage: { budget: 16_000 },
  demoPanel: { budget: 15_000, released: 12_900 },
  styles: { budget: 14_000, released: 9_600 },
  // 90 kB of it are React, the router and the data cache.
  adminPage: { budget: 130_000, released: 124_500 },
}

interface Weight extends Bounds {
  readonly name: string
  readonly bytes: number
}

async function weighBuild(): Promise<Weight[]> {
  const { pages, demo, panel } = JSON.parse(await readFile(join(dist, 'routes.json'), 'utf8')) as Routes
  const scripts = await scriptsByPath(pages)
  const dashboard = scripts['/dashboard'] ?? new Set<string>()
  const knownFiles = new Set(Object.values(scripts).flatMap((files) => [...files]))
  const css = [...(await readFile(join(dist, 'index.html'), 'utf8')).matchAll(/\/assets\/([^"]+\.css)/g)].map(
    ([, file = '']) => file,
  )
  return [
    ...(await Promise.all(
      Object.entries(scripts).map(([path, files]) => {
        const ofPage = pageBounds[path]
        if (ofPage) return weightOf(path, files, ofPage)
        const ofOwn = path.startsWith('/settings') ? bounds.accountPage : bounds.otherPage
        return weightOf(`${path}, of its own`, without(files, dashboard), ofOwn)
      }),
    )),
    await weightOf('demo, of its own', without(await allScripts(demo), knownFiles), {
      budget: Number.POSITIVE_INFINITY,
    }),
    await weightOf('demo panel', without(await closure([basename(panel)]), knownFiles), bounds.demoPanel),
    await weightOf('styles', css, bounds.styles),
    await weightOf('admin page', await scriptsIn('.admin/assets'), bounds.adminPage),
  ]
}

async function scriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(join(dist, folder))
  return names.filter((name) => name.endsWith('.js')).map((name) => `../${folder}/${name}`)
}

interface Routes {
  readonly pages: Readonly<Record<string, string>>
  readonly demo: Readonly<Record<string, string>>
  readonly panel: string
}

async function scriptsByPath(pages: Routes['pages']): Promise<Record<string, Set<string>>> {
  const entries = Object.entries(pages).map(async ([path, file]) => [path, await scriptsOf(file)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function allScripts(pages: Routes['pages']): Promise<string[]> {
  return Object.values(await scriptsByPath(pages)).flatMap((files) => [...files])
}

function without(files: Iterable<string>, knownFiles: ReadonlySet<string>): Set<string> {
  return new Set([...files].filter((file) => !knownFiles.has(file)))
}

async function weightOf(name: string, files: Iterable<string>, limits: Bounds): Promise<Weight> {
  return { name, bytes: await weigh(files), ...limits }
}

async function scriptsOf(page: string): Promise<Set<string>> {
  const html = await readFile(join(dist, page), 'utf8')
  const linked = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, file = '']) => file)
  return await closure(linked)
}

async function closure(start: readonly string[]): Promise<Set<string>> {
  const reference = /(?:from|import)\s*"\.\/([^"]+\.js)"/g
  const files = new Set<string>()
  const waiting = [...start]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const source = await readFile(join(dist, 'assets', file), 'utf8')
    for (const [, imported = ''] of source.replaceAll(/[`']/g, '"').matchAll(reference))
      waiting.push(imported)
  }
  return files
}

async function weigh(files: Iterable<string>): Promise<number> {
  let bytes = 0
  for (const file of files) bytes += gzipSync(await readFile(join(dist, 'assets', file)), { level: 9 }).length
  return bytes
}

function printWeight({ name, bytes, budget }: Weight): void {
  const limit = Number.isFinite(budget) ? `of ${kilobytes(budget)}` : ''
  console.log(`${name.padEnd(34)} ${kilobytes(bytes).padStart(9)} ${limit}`)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

if (import.meta.main) {
  const weights = await weighBuild()
  for (const weight of weights) printWeight(weight)
  for (const { name, bytes, released } of weights)
    if (released && bytes > released * 1.05)
      console.log(`Grown since the last release by ${kilobytes(bytes - released)}: ${name}.`)
  const heavy = weights.filter(({ bytes, budget }) => bytes > budget)
  for (const { name, bytes, budget } of heavy)
    console.error(
      `Too heavy by ${bytes - budget} bytes: ${name}. The limits are in packages/ui/vite/size.ts.`,
    )
  if (heavy.length > 0) process.exitCode = 1
}
