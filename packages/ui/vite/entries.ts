import { existsSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(import.meta.dirname, '../..')

/** Of sources of these packages: the published ones are JavaScript. */
export function extension(markup: 'x' | '' = ''): string {
  return import.meta.filename.endsWith('.ts') ? `.ts${markup}` : '.js'
}

export const demo = join(packages, 'demo')
export const admin = join(packages, 'admin')
export const react = join(packages, 'react')
export const identity = join(packages, 'identity')
export const library = join(import.meta.dirname, '../src')

/** A product may remove the package. */
const hasDemo = existsSync(demo)

/** The pages of demo mode by their paths: each has its own entry in the build. */
export const demoPages: Readonly<Record<string, string>> = hasDemo
  ? {
      '/demo': 'stage.html',
      '/demo/inbox': 'pages.html',
      '/demo/emails': 'pages.html',
      '/demo/consent': 'provider.html',
    }
  : {}

/** The demo panel's script: a separate entry, which the server adds to pages in demo mode. */
export const panelSource = hasDemo ? `/@demo/src/panel/main${extension('x')}` : undefined

/** Renders the pages of an app at build time. */
export const PRERENDER = 'virtual:ostiary/prerender'

export function prerenderSource(root: string): string {
  return `
    import { app } from ${JSON.stringify(join(root, 'app.tsx'))}
    import { prerender } from ${JSON.stringify(join(library, `prerender${extension('x')}`))}
    const sources = import.meta.glob(['/**/*.tsx', '!/dist/**', '!/**/*.test.tsx'], {
      query: '?raw', import: 'default', eager: true,
    })
    export const pages = () => prerender(app, sources)
  `
}
