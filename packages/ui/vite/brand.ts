import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shadesOf } from '@ostiary/identity/theme'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Plugin } from 'vite'
import type { BuildConfig } from './plugin.ts'

/** The product outside its pages: on a home screen, and where a link to it is shared. */
export function brandFiles({ name, theme }: BuildConfig): Plugin {
  let root = ''
  return {
    name: 'ostiary-brand',
    apply: 'build',
    configResolved: (resolved) => {
      root = resolved.root
    },
    // After Vite has looked for the files of the page.
    transformIndexHtml: { order: 'post', handler: () => tagsOf(name) },
    async generateBundle(_, bundle) {
      if (this.environment.name !== 'client') return
      const logo = readFileSync(join(root, 'logo.svg'))
      const logoFile = Object.keys(bundle).find((name) => /\/logo-[^/]+\.svg$/.test(name))
      const pictures = await drawPictures(logo, shadesOf(theme.accent).accent)
      const manifest = {
        name,
        start_url: '/',
        display: 'minimal-ui',
        theme_color: theme.accent,
        background_color: PAGE,
        icons: [
          { src: `/${logoFile}`, sizes: 'any', type: 'image/svg+xml' },
          { src: `/${TOUCH_ICON}`, sizes: '180x180', type: 'image/png' },
        ],
      }
      this.emitFile({ type: 'asset', fileName: MANIFEST, source: JSON.stringify(manifest) })
      for (const [fileName, source] of Object.entries(pictures))
        this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

const MANIFEST = 'manifest.webmanifest'
const TOUCH_ICON = 'apple-touch-icon.png'
const PREVIEW = 'preview.png'
/** The light page, as in `head.html`. */
const PAGE = '#f8fafb'

function tagsOf(name: string) {
  const inHead = { injectTo: 'head' as const }
  const link = (rel: string, href: string) => ({ tag: 'link', attrs: { rel, href: `/${href}` }, ...inHead })
  const meta = (property: string, content: string) => ({
    tag: 'meta',
    attrs: { property, content },
    ...inHead,
  })
  return [
    link('manifest', MANIFEST),
    link('apple-touch-icon', TOUCH_ICON),
    meta('og:site_name', name),
    // Needs a whole URL, and the server knows its origin.
    meta('og:image', `__ORIGIN__/${PREVIEW}`),
  ]
}

/** As PNG: iOS and most apps that preview links cannot read SVG. */
async function drawPictures(logo: Buffer, accent: string): Promise<Record<string, Uint8Array>> {
  await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
  const href = `data:image/svg+xml;base64,${logo.toString('base64')}`
  return {
    // iOS rounds its corners and shows transparent ones in black.
    [TOUCH_ICON]: draw(180, 180, `<rect width="180" height="180" fill="#fff"/>${image(href, 0, 0, 180)}`),
    [PREVIEW]: draw(
      1200,
      630,
      `<rect width="1200" height="630" fill="${PAGE}"/><rect y="606" width="1200" height="24" fill="${accent}"/>${image(href, 472, 175, 256)}`,
    ),
  }
}

function image(href: string, x: number, y: number, size: number): string {
  return `<image href="${href}" x="${x}" y="${y}" width="${size}" height="${size}"/>`
}

function draw(width: number, height: number, content: string): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  return new Resvg(svg).render().asPng()
}
