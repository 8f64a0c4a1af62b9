import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import { getMimeType } from 'hono/utils/mime'
import { z } from 'zod'
import { StartError } from '../http/errors.ts'
import type { ProductConfig } from '../product/product.ts'
import type { PublicValues } from '../product/register.ts'

export type Encoding = 'br' | 'gzip' | 'identity'

export interface SpaFile {
  readonly contentType: string
  readonly hash: string
  /** Compressed on the first request, which takes 5 ms for a page. */
  readonly encoded: Readonly<Record<Encoding, () => Promise<Buffer<ArrayBuffer>>>>
}

export interface SpaFiles {
  /** By path, such as `/links/:id`. The first that matches is served. */
  readonly pages: ReadonlyMap<string, SpaFile>
  /** Where anonymous visitors are redirected, by page. */
  readonly loginPaths: ReadonlyMap<string, string>
  readonly demoPages: ReadonlyMap<string, SpaFile>
  readonly notFound: SpaFile
  readonly files: ReadonlyMap<string, SpaFile>
}

export interface PageSettings {
  readonly identity_url: string
  /** The product's public ones, by name. */
  readonly own: PublicValues
  readonly token_template: string
  readonly cookie_domain?: string
  readonly demo: boolean
  /** Whether `/api/v1/account` exists, which needs the embedded identity service. */
  readonly account_api: boolean
  /** Between the request and the deletion of an account. Absent with another identity service. */
  readonly deletion_days?: number
  /** For pages that are not built for one product: the demo's and the admin page. */
  readonly product?: Pick<ProductConfig, 'name' | 'roles' | 'traits' | 'demoProviders' | 'afterLogin'> & {
    readonly public_url: string
  }
  /** Absent with another identity service. */
  readonly providers?: readonly { readonly id: string; readonly label: string }[]
}

const routes = z.object({
  pages: z.record(z.string(), z.string()),
  loginPaths: z.record(z.string(), z.string()).default({}),
  not_found: z.string(),
  demo: z.record(z.string(), z.string()).default({}),
  /** The script of the demo panel. */
  panel: z.string().optional(),
})

/** The demo's pages with a form that the panel fills in. */
const PANEL_PAGES = ['stage.html', 'provider.html']

/**
 * Throws a `StartError` without a build.
 *
 * @param origin for metadata that needs whole URLs
 * @param scripts of other hosts
 */
export function loadSpaFiles(
  dist: string,
  settings: PageSettings,
  { origin, hasPanel, scripts }: { origin: string; hasPanel: boolean; scripts: readonly string[] },
): SpaFiles {
  if (!existsSync(join(dist, 'routes.json')))
    throw new StartError('The pages are not built yet. Start with `npm start`, which builds them first.')
  const routeTable = routes.parse(JSON.parse(readFileSync(join(dist, 'routes.json'), 'utf8')))
  const { product: _, ...ofApp } = settings
  const tag = offersPrerendered(settings) ? '<html data-offered ' : '<html '
  const readPage = (name: string) => readFileSync(join(dist, name), 'utf8')
  const page = (name: string, html: string) =>
    createFile(name, Buffer.from(html.replaceAll('__ORIGIN__', () => origin)))
  const panel = hasPanel ? routeTable.panel : undefined
  const appPage = (name: string) =>
    page(name, addScripts(injectSettings(readPage(name).replace('<html ', tag), ofApp, panel), scripts))
  const demoPage = (name: string) =>
    page(name, injectSettings(readPage(name), settings, PANEL_PAGES.includes(name) ? panel : undefined))
  const pagesOf = (table: Record<string, string>, make: (name: string) => SpaFile) =>
    new Map(Object.entries(table).map(([path, name]) => [path, make(name)]))
  const files = [...loadStaticFiles(dist)]
  return {
    pages: pagesOf(routeTable.pages, appPage),
    loginPaths: new Map(Object.entries(routeTable.loginPaths)),
    demoPages: pagesOf(routeTable.demo, demoPage),
    notFound: appPage(routeTable.not_found),
    files: new Map(files.filter(([path]) => hasPanel || path !== routeTable.panel)),
  }
}

/** The pages are prerendered with the buttons of the demo's providers. */
function offersPrerendered({ product, providers = [] }: PageSettings): boolean {
  return (product?.demoProviders ?? []).every(({ id }) => providers.some((one) => one.id === id))
}

/** `</script>` in a value would end the element, so `<` is escaped. Adds the demo panel's script. */
export function injectSettings(html: string, settings: Partial<PageSettings>, script?: string): string {
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c')
  const filled = html.replace('__SETTINGS__', () => json)
  return script === undefined
    ? filled
    : filled.replace('</body>', `<script type="module" fetchpriority="low" src="${script}"></script></body>`)
}

/**
 * Elements of the page, because Trusted Types forbid that the page's own code loads them. A slow host must not delay the
 * pages.
 */
export function addScripts(html: string, scripts: readonly string[]): string {
  const tags = scripts.map((src) => `<script async src="${src.replaceAll('&', '&amp;')}"></script>`)
  return html.replace('</head>', () => `${tags.join('')}</head>`)
}

export function loadAdminFiles(
  dist: string,
  base: string,
  settings: Pick<PageSettings, 'product'>,
): Pick<SpaFiles, 'files'> & { readonly page: SpaFile } {
  const html = injectSettings(readFileSync(join(dist, 'admin.html'), 'utf8'), settings)
  const page = createFile('index.html', Buffer.from(html))
  const files = [...loadStaticFiles(dist)].map(([path, file]) => [`${base}${path}`, file] as const)
  return { page, files: new Map(files) }
}

function loadStaticFiles(dist: string): Map<string, SpaFile> {
  return new Map(
    listFiles(dist)
      .filter(isServed)
      .map((path) => [path, createFile(path, readFileSync(dist + path), dist + path)]),
  )
}

/**
 * URL paths. `globSync` and recursive `readdirSync` normalize every path so often that V8 optimizes
 * the loop, which takes 5 MB.
 */
function listFiles(dist: string, folder = ''): string[] {
  return readdirSync(dist + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listFiles(dist, path) : path
  })
}

/** Excludes pages, the admin page (`/.admin`) and compressed copies. */
function isServed(path: string): boolean {
  return !/\/\.|\.(html|br|gz|map)$/.test(path) && path !== '/routes.json'
}

function createFile(name: string, content: Buffer<ArrayBuffer>, path?: string): SpaFile {
  return {
    contentType: getMimeType(name) ?? 'application/octet-stream',
    hash: createHash('sha256').update(content).digest('base64url').slice(0, 16),
    encoded: {
      identity: async () => content,
      br: memoize(() => readFile(`${path}.br`).catch(() => compressBrotli(content))),
      gzip: memoize(() => readFile(`${path}.gz`).catch(() => promisify(gzip)(content, { level: 9 }))),
    },
  }
}

function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let promise: Promise<T> | undefined
  return () => {
    promise ??= make()
    return promise
  }
}

function compressBrotli(content: Buffer<ArrayBuffer>): Promise<Buffer<ArrayBuffer>> {
  return promisify(brotliCompress)(content, {
    params: {
      // 11 takes three times as long for 2 %.
      [zlib.BROTLI_PARAM_QUALITY]: 10,
      [zlib.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
}

/** RFC 9110 §12.5.3: the smallest that the client accepts. */
export function pickEncoding(header: string | null): Encoding {
  const weights = new Map(parseAccept(header ?? '').map(({ type, q }) => [type.toLowerCase(), q]))
  const accepts = (encoding: string) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  if (accepts('br')) return 'br'
  return accepts('gzip') || accepts('x-gzip') ? 'gzip' : 'identity'
}
