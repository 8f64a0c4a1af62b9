import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import type { Prerendered } from '../src/prerender.tsx'
import { admin, demoPages, extension, library, panelSource, react } from './entries.ts'
import { type BuildConfig, buildOptions, escapeHtml, everyPage } from './plugin.ts'
import { type Manifest, preloadLinks } from './preload-links.ts'

interface Built {
  readonly config: BuildConfig
  readonly web: string
  readonly client: Manifest
  readonly server: Manifest
}

/**
 * Builds and prerenders the pages, and lists their files for the server.
 *
 * @param web the folder of `vite.config.ts`
 */
export async function buildWeb(web: string, config: BuildConfig): Promise<void> {
  const dist = join(web, 'dist')
  // Inside web, so that the bundle finds the packages; with a dot, so that it is not served.
  const ssrBuildDir = join(dist, '.build')
  const configFile = join(web, 'vite.config.ts')
  const ssr = { ssr: true, outDir: ssrBuildDir, emptyOutDir: false, copyPublicDir: false }
  const rolldownOptions = { checks }
  await build({ configFile, logLevel: 'warn', build: { rolldownOptions } })
  await build({ configFile, logLevel: 'warn', build: { ...ssr, rolldownOptions } })
  await buildAdmin(web, config)
  const { pages } = (await import(pathToFileURL(join(ssrBuildDir, 'prerender.js')).href)) as Prerenderer
  const [client, server] = [await readManifest(dist), await readManifest(ssrBuildDir)]
  await writePages({ config, web, client, server }, await pages())
  await rm(join(dist, '.vite'), { recursive: true })
  await rm(ssrBuildDir, { recursive: true })
  for (const folder of [dist, join(dist, '.admin')]) await compressAssets(join(folder, 'assets'))
}

const checks = { bundlerTimings: false }

interface Prerenderer {
  pages(): Promise<Prerendered[]>
}

/** A separate build, which the app does not load and the public port does not serve. */
async function buildAdmin(web: string, config: BuildConfig): Promise<void> {
  await build({
    root: admin,
    configFile: false,
    logLevel: 'warn',
    base: '/ui/',
    plugins: everyPage(config, web),
    build: {
      ...buildOptions,
      outDir: join(web, 'dist/.admin'),
      rolldownOptions: { checks, input: join(admin, 'admin.html') },
    },
  })
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
}

async function writePages(built: Built, pages: readonly Prerendered[]): Promise<void> {
  const { web, client } = built
  const dist = join(web, 'dist')
  const template = await readFile(join(dist, 'index.html'), 'utf8')
  const files: Record<string, string> = {}
  for (const page of pages) {
    const file = fileOf(page.path)
    await mkdir(dirname(join(dist, file)), { recursive: true })
    await writeFile(join(dist, file), fillPage(template, built, page))
    if (page.path !== '*') files[page.path] = file
  }
  const loginPaths = Object.fromEntries(pages.map(({ path, loginPath }) => [path, loginPath]))
  const routes = { pages: files, loginPaths, not_found: fileOf('*'), demo: demoPages, panel: panelOf(client) }
  await writeFile(join(dist, 'routes.json'), `${JSON.stringify(routes, undefined, 2)}\n`)
}

function panelOf(client: Manifest): string | undefined {
  if (panelSource === undefined) return undefined
  const source = panelSource.slice('/@'.length)
  return `/${Object.values(client).find(({ src }) => src?.endsWith(source))?.file}`
}

function fileOf(path: string): string {
  if (path === '/') return 'index.html'
  // Windows allows no colon.
  return path === '*' ? '404.html' : `${path.slice(1).replaceAll(':', '_')}.html`
}

function fillPage(template: string, { web, config, client, server }: Built, page: Prerendered): string {
  const sources = page.imports.map((load) => sourceOf(server, load))
  if (page.loginPath) sources.push(...forSignedIn.map((path) => relative(web, path)))
  return [
    [`<title>${escapeHtml(config.name)}</title>`, `<title>${escapeHtml(page.title)}</title>`],
    [`content="${escapeHtml(config.description)}"`, `content="${escapeHtml(page.description)}"`],
    ['</head>', `${preloadLinks(client, sources)}  </head>`],
    ['<div id="root"></div>', `<div id="root">${page.html}</div>`],
  ].reduce((html, [place, filled]) => replaceOnce(html, place as string, filled as string), template)
}

/** The client that fetches the session, and the account menu. */
const forSignedIn = [
  join(react, `src/flow/client${extension()}`),
  join(library, `layout/account-menu${extension('x')}`),
]

/** Both builds name a module by its source. The import in the server's names its file. */
function sourceOf(server: Manifest, load: () => Promise<unknown>): string {
  const file = `${load}`.match(/import\(\s*["'`]\.\/(?:assets\/)?([^"'`]+)/)?.[1]
  const source = Object.keys(server).find((key) => file && server[key]?.file.endsWith(file))
  if (source === undefined) throw new Error(`The build does not know what ${load} imports`)
  return source
}

function replaceOnce(html: string, place: string, filled: string): string {
  const parts = html.split(place)
  if (parts.length !== 2) throw new Error(`index.html must contain ${place} exactly once`)
  return parts.join(filled)
}

/**
 * Writes `name.br` and `name.gz` for every asset. Pages are left out because the server adds its settings to
 * them.
 */
async function compressAssets(folder: string): Promise<void> {
  const names = await readdir(folder)
  await Promise.all(names.map((name) => compressAsset(join(folder, name))))
}

async function compressAsset(path: string): Promise<void> {
  const content = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, quality),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}

if (import.meta.main) {
  const config = (await import(pathToFileURL(resolve('app.config.ts')).href)) as BuildConfig
  // Its message shows the place in the source; a stack trace of the bundler would hide it.
  await buildWeb(resolve('app/web'), config).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
