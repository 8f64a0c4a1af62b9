import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type InlineConfig } from 'vite'
import type { Prerendered } from '../src/prerender.tsx'
import config from '../vite.config.ts'
import { compressAssets } from './compress.ts'
import { demoPages, panelSource } from './dev-server.ts'
import { description, escapeHtml, title } from './html.ts'
import { type Manifest, preloadLinks } from './preload-links.ts'

const web = join(import.meta.dirname, '..')
const dist = join(web, 'dist')
// Inside web, so that the bundle finds the packages; with a dot, so that it is not served.
const workshop = join(web, 'dist/.build')
const adminDist = join(web, 'dist/.admin')

/** Builds and prerenders the pages, and lists their files for the server. */
export async function buildWeb(): Promise<void> {
  const configFile = join(web, 'vite.config.ts')
  await build({ configFile, logLevel: 'warn' })
  await build({ configFile, logLevel: 'warn', build: { ssr: 'src/prerender.tsx', ...serverBuild } })
  await build(adminBuild)
  const { prerender } = (await import(pathToFileURL(join(workshop, 'prerender.js')).href)) as Prerenderer
  const template = await readFile(join(dist, 'index.html'), 'utf8')
  const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
  await writePages(template, manifest, await prerender())
  await rm(join(dist, '.vite'), { recursive: true })
  await rm(workshop, { recursive: true })
  for (const folder of [dist, adminDist]) await compressAssets(join(folder, 'assets'))
}

interface Prerenderer {
  prerender(): Promise<Prerendered[]>
}

const serverBuild = {
  outDir: workshop,
  emptyOutDir: false,
  manifest: false,
  copyPublicDir: false,
  rolldownOptions: { input: 'src/prerender.tsx' },
}

/** The admin page: a separate build, which the app does not load and the public port does not serve. */
const adminBuild: InlineConfig = {
  ...config,
  configFile: false,
  logLevel: 'warn',
  base: '/ui/',
  build: {
    ...config.build,
    outDir: adminDist,
    manifest: false,
    rolldownOptions: { ...config.build?.rolldownOptions, input: join(web, 'admin.html'), output: {} },
  },
}

async function writePages(
  template: string,
  manifest: Manifest,
  pages: readonly Prerendered[],
): Promise<void> {
  const files: Record<string, string> = {}
  for (const page of pages) {
    const file = fileOf(page.path)
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await writeFile(join(dist, file), fillPage(template, manifest, page))
    if (page.path !== '*') files[page.path] = file
  }
  const entrances = Object.fromEntries(pages.map(({ path, entrance }) => [path, entrance]))
  const panel = `/${manifest[panelSource.slice(1)]?.file}`
  const routes = { pages: files, entrances, not_found: fileOf('*'), demo: demoPages, panel }
  await writeFile(join(dist, 'routes.json'), `${JSON.stringify(routes, undefined, 2)}\n`)
}

function fileOf(path: string): string {
  if (path === '/') return 'index.html'
  // Windows allows no colon.
  return path === '*' ? '404.html' : `${path.slice(1).replaceAll(':', '_')}.html`
}

function fillPage(template: string, manifest: Manifest, page: Prerendered): string {
  return [
    [title, `<title>${escapeHtml(page.title)}</title>`],
    [description, `content="${escapeHtml(page.description)}"`],
    ['</head>', `${preloadLinks(manifest, page.sources)}  </head>`],
    ['<div id="root"></div>', `<div id="root">${page.html}</div>`],
  ].reduce((html, [place, filled]) => replaceOnce(html, place as string, filled as string), template)
}

function replaceOnce(html: string, place: string, filled: string): string {
  const parts = html.split(place)
  if (parts.length !== 2) throw new Error(`index.html must contain ${place} exactly once`)
  return parts.join(filled)
}

if (import.meta.main)
  // Its message shows the place in the source; a stack trace of the bundler would hide it.
  await buildWeb().catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
