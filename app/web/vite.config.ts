import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { accentHue } from '../../app.config.ts'
import { demoPages, panelSource } from './build/dev-server.ts'
import { nameProduct } from './build/html.ts'

// Few files for the first page, because each costs a round trip. Packages change less often than our code, so
// browsers keep them cached.
const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\/|rolldown\/runtime/,
  },
  { name: 'zod', test: /node_modules\/zod\/|src\/ui\/form\/schema/ },
  {
    name: 'shared',
    test: /app\.config|src\/(api|auth\/(?!visitors-only)|layout\/(?!account-menu)|flow\/onward|paths|styles|ui\/(browser|button|copy-button|form\/form-error|icons|page))/,
  },
  // Anonymous visits of public pages do not load the identity client.
  { name: 'identity', test: /node_modules\/@ory\/|src\/flow\/client/ },
  // Separate small files would compress worse.
  { name: 'flow', test: /src\/flow\/(?!client|passkeys|providers|rules|traits)/ },
  {
    name: 'form',
    test: /src\/(auth\/visitors-only|flow\/rules|ui\/form\/(choice-fields|fields|form-parts|use-form))/,
  },
  { name: 'mailed-code', test: /src\/forms\/code\// },
  // On the dashboard too.
  { name: 'signed-in', test: /src\/(features\/account-area\/account-notices|ui\/(lazy-part|format))/ },
  // Parts that open in place load later.
  {
    name: 'account',
    test: /src\/(features\/account-area\/account-area|forms\/settings\/(opening-card|confirm\.tsx)|ui\/(card|save-file))/,
  },
  // For pages that change something.
  { name: 'settings', test: /src\/forms\/settings\/(use-settings|known-credentials)/ },
]

const everywhere = /\/(framework|shared|rolldown-runtime)-/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), accentColor(), tailwindcss(), commonHead(), settingsBlock(), scriptsAfterStyles()],
  build: {
    // Browsers with light-dark() and text-wrap, so colors are not transpiled.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The pages' Content Security Policy forbids data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Screens preload their imports in one round trip, except what every page has. Parts that open in place
      // load when the page is idle.
      resolveDependencies: (_, files, { hostId }) =>
        hostId.includes('/shared-') ? files.filter((file) => !everywhere.test(file)) : [],
    },
    // One file for all styles: no script waits for another stylesheet.
    cssCodeSplit: false,
    manifest: true,
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', ...new Set(Object.values(demoPages)), panelSource.slice(1)].map(
        (page) => `${import.meta.dirname}/${page}`,
      ),
      // Inlines paths and message ids.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: { codeSplitting: { groups } },
    },
  },
})

function commonHead(): Plugin {
  const head = readFileSync(join(import.meta.dirname, 'head.html'), 'utf8').trim()
  const handler = (html: string) => nameProduct(html.replace('<!-- head.html -->', head))
  return { name: 'common-head', transformIndexHtml: { order: 'pre', handler } }
}

function accentColor(): Plugin {
  const handler = (css: string) => css.replaceAll('accent-hue', `${accentHue}`)
  return { name: 'accent-color', enforce: 'pre', transform: { filter: { id: /styles\.css$/ }, handler } }
}

function settingsBlock(): Plugin {
  const block = {
    tag: 'script',
    attrs: { type: 'application/json', id: 'settings' },
    children: '__SETTINGS__',
    injectTo: 'body' as const,
  }
  return { name: 'settings-block', transformIndexHtml: () => [block] }
}

/** Pages are readable without scripts, so styles load first. */
function scriptsAfterStyles(): Plugin {
  return {
    name: 'scripts-after-styles',
    enforce: 'post',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
    },
  }
}
