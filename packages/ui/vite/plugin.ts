import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { shadesOf } from '@ostiary/identity/theme'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { IndexHtmlTransformContext, Plugin, PluginOption, UserConfig } from 'vite'
import { brandFiles } from './brand.ts'
import { groups } from './chunks.ts'
import { admin, demo, demoPages, extension, PRERENDER, panelSource, prerenderSource } from './entries.ts'

/** The looks of a product. */
export interface Theme {
  /** Any CSS color. In the light theme, buttons and links have exactly this one where text is readable. */
  readonly accent: string
  /** For the dark theme; default: a light shade of `accent`. */
  readonly darkAccent?: string
  /** CSS font families. */
  readonly font?: string
  /** The corners of fields and buttons, as a CSS length. Those of cards are in proportion. */
  readonly radius?: string
}

/** The members that the build reads of `app.config.ts`. */
export interface BuildConfig {
  readonly name: string
  readonly description: string
  /** A language tag (BCP 47); default: `en`. */
  readonly language?: string
  readonly theme: Theme
}

/**
 * Builds, prerenders and serves the pages of an app, whose folder has `index.html` and `app.tsx`.
 *
 * @example export default defineConfig({ plugins: [ostiary(config)] })
 */
export function ostiary(config: BuildConfig): PluginOption {
  return [refuseServerFiles(), entries(), ...everyPage(config), brandFiles(config)]
}

/** Browsers would load the server's code. Imports of types are gone by then. */
function refuseServerFiles(): Plugin {
  let app = ''
  const refuse = (source: string, importer: string) => {
    const path = resolve(dirname(importer), source)
    const isOfServer = path === join(app, 'server.ts') || path.startsWith(join(app, 'server', sep))
    if (isOfServer)
      throw new Error(
        `app${importer.slice(app.length)} imports app${path.slice(app.length)}, which is for the server. Import only its types, with "import type", and move what both need to app/schemas.ts.`,
      )
  }
  return {
    name: 'ostiary-server-files',
    enforce: 'pre',
    // Workers are bundled on their own.
    config: () => ({ worker: { plugins: () => [refuseServerFiles()] } }),
    configResolved: ({ root }) => {
      app = dirname(root)
    },
    resolveId: (source, importer = '') => refuse(source, importer),
    transform(code, importer) {
      for (const [, source = ''] of code.matchAll(FILE_URL)) refuse(source, importer)
    },
  }
}

/** Vite copies such a file into the build. */
const FILE_URL = /\bnew URL\(\s*['"`]([^'"`]+)['"`],\s*import\.meta\.url/g

/** For the admin page too, which is a separate build. */
export function everyPage(config: BuildConfig, web?: string): PluginOption[] {
  return [
    aliases(web),
    react(),
    ownTheme(config),
    tailwindcss(),
    commonHead(config, web),
    themeScript(),
    settingsBlock(),
    scriptsAfterStyles(),
  ]
}

/** The options of every build. */
export const buildOptions: UserConfig['build'] = {
  // Browsers with light-dark(), relative colors and text-wrap, so colors are not transpiled.
  target: ['chrome123', 'edge123', 'firefox128', 'safari18'],
  // The pages' Content Security Policy forbids data: URLs and inline scripts.
  assetsInlineLimit: 0,
  emptyOutDir: true,
  reportCompressedSize: false,
}

const everywhere = /\/(framework|shared|rolldown-runtime)-/

/** The demo's pages and panel are entries of the app's build, so that they share its chunks. */
function entries(): Plugin {
  let root = ''
  const virtual = (id: string) => (id.startsWith(root) ? id.slice(root.length + 1) : id)
  return {
    name: 'ostiary-entries',
    config: (own, { isSsrBuild }) => ({
      // A product's demo makes no claims about these packages.
      define: { 'import.meta.env.IN_REPOSITORY': extension() === '.ts' },
      ssr: { noExternal: [/^@ostiary\//] },
      build: {
        ...buildOptions,
        modulePreload: {
          polyfill: false,
          // Pages and screens preload their imports in one round trip, screens without what every page has.
          // Parts that open in place load when the page is idle.
          resolveDependencies: (_, files, { hostId, hostType }) => {
            if (hostType === 'html') return files
            return hostId.includes('/shared-') ? files.filter((file) => !everywhere.test(file)) : []
          },
        },
        manifest: true,
        rolldownOptions: isSsrBuild
          ? { input: PRERENDER }
          : {
              input: [
                ...['index.html', ...new Set(Object.values(demoPages))].map((page) =>
                  join(own.root ?? '', page),
                ),
                ...(panelSource === undefined ? [] : [panelSource]),
              ],
              // Inlines paths and message ids.
              optimization: { inlineConst: { mode: 'all', pass: 2 } },
              output: { codeSplitting: { groups } },
            },
      },
    }),
    configResolved(resolved) {
      root = resolved.root
    },
    resolveId: (id) => (id === PRERENDER || Object.values(demoPages).includes(virtual(id)) ? id : undefined),
    load(id) {
      if (id === PRERENDER) return prerenderSource(root)
      const page = virtual(id)
      return Object.values(demoPages).includes(page) ? readFileSync(join(demo, page), 'utf8') : undefined
    },
  }
}

function commonHead({ name, description, language = 'en' }: BuildConfig, web: string | undefined): Plugin {
  const head = readFileSync(join(import.meta.dirname, 'head.html'), 'utf8').trim()
  // In development, one Vite serves the admin page too.
  const logoOf = ({ filename, server }: IndexHtmlTransformContext) =>
    web && !server ? relative(dirname(filename), join(web, 'logo.svg')) : '/logo.svg'
  const handler = (html: string, context: IndexHtmlTransformContext) =>
    html
      .replace('<!-- head.html -->', head)
      .replace('%LOGO%', logoOf(context))
      // Pages of the packages are in English.
      .replace(/(?<=<html lang=")en(?=")(?![\s\S]*src="\/@)/, escapeHtml(language))
      .replaceAll('%NAME%', escapeHtml(name))
      .replaceAll('%DESCRIPTION%', escapeHtml(description))
  return { name: 'ostiary-head', transformIndexHtml: { order: 'pre', handler } }
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function ownTheme({ theme: { accent, darkAccent, font, radius } }: BuildConfig): Plugin {
  const shades = shadesOf(accent, darkAccent)
  const declarations = [
    `--accent: ${accent}`,
    `--readable-accent: ${shades.accent}`,
    `--dark-accent: ${shades.dark_accent}`,
  ]
  if (font) declarations.push(`--font-sans: ${font}`, `--font-head: ${font}`)
  if (radius) declarations.push(`--radius-field: ${radius}`)
  const handler = (css: string) => `${css}\n:root { ${declarations.join('; ')} }\n`
  return { name: 'ostiary-theme', enforce: 'pre', transform: { filter: { id: /styles\.css$/ }, handler } }
}

/** In development, one Vite serves the pages of the app, the demo and the admin page. */
function aliases(web: string | undefined): Plugin {
  return {
    name: 'ostiary-aliases',
    config: ({ root = '' }) => ({
      resolve: { alias: { '/@logo.svg': join(web ?? root, 'logo.svg'), '/@demo': demo, '/@admin': admin } },
    }),
  }
}

/** Runs before the first paint, so it is a classic script, which Vite does not bundle. */
function themeScript(): Plugin {
  const source = readFileSync(join(import.meta.dirname, 'theme.js'), 'utf8')
  let base = '/'
  return {
    name: 'ostiary-theme-script',
    configResolved: (resolved) => {
      base = resolved.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<!-- theme.js -->', `<script src="${base}theme.js"></script>`),
    },
    configureServer: ({ middlewares }) => {
      middlewares.use('/theme.js', (_, response) => {
        response.setHeader('Content-Type', 'text/javascript').end(source)
      })
    },
    generateBundle() {
      if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName: 'theme.js', source })
    },
  }
}

function settingsBlock(): Plugin {
  const block = {
    tag: 'script',
    attrs: { type: 'application/json', id: 'settings' },
    children: '__SETTINGS__',
    injectTo: 'body' as const,
  }
  return { name: 'ostiary-settings', transformIndexHtml: () => [block] }
}

/** Pages are readable without scripts, so styles load first. */
function scriptsAfterStyles(): Plugin {
  return {
    name: 'ostiary-scripts',
    enforce: 'post',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
    },
  }
}
