import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { demoPages } from './build/dev-server.ts'

// Few files for the first page, because each costs a round trip. Packages change less often than our own code, so
// they stay in the browser's cache after a release.
const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\/|rolldown\/runtime/,
  },
  { name: 'zod', test: /node_modules\/zod\/|src\/ui\/form\/schema/ },
  {
    name: 'shared',
    test: /src\/(api|auth|layout\/(?!account-menu)|flow\/onward|paths|styles|ui\/(browser|button|form\/form-error|icons|page))/,
  },
  // The client of the identity service: anonymous visits of public pages do not load it.
  { name: 'identity', test: /node_modules\/@ory\/|src\/flow\/client/ },
  // What every form needs; separate small files would compress worse.
  { name: 'flow', test: /src\/flow\/(?!client|passkeys|providers|rules)/ },
  { name: 'form', test: /src\/(flow\/rules|ui\/form\/(fields|form-parts|use-form))/ },
  { name: 'mailed-code', test: /src\/forms\/code\// },
  // On the dashboard too, without the rest of the account.
  { name: 'signed-in', test: /src\/(features\/account-area\/account-notices|ui\/(lazy-part|format))/ },
  // What every page of the account needs; what opens in place is loaded later.
  {
    name: 'account',
    test: /src\/(features\/account-area\/account-area|forms\/settings\/(opening-card|confirm\.tsx)|ui\/card)/,
  },
  // Only those that change something need the settings as a flow.
  { name: 'settings', test: /src\/forms\/settings\/(use-settings|known-credentials)/ },
]

const everywhere = /\/(framework|shared|rolldown-runtime)-/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), commonHead(), settingsBlock(), scriptsAfterStyles()],
  build: {
    // Browsers that support light-dark() and text-wrap: the colours are not transpiled.
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The pages' Content Security Policy allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Screens preload the files that they import, for one round trip instead of two, except what every page has.
      // Parts that open in place are fetched when the page is idle and need no such list.
      resolveDependencies: (_, files, { hostId }) =>
        hostId.includes('/shared-') ? files.filter((file) => !everywhere.test(file)) : [],
    },
    // One file for all styles: no script waits for another stylesheet.
    cssCodeSplit: false,
    manifest: true,
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', ...Object.values(demoPages)].map((page) => `${import.meta.dirname}/${page}`),
      // Paths and message ids are named constants in the source, and inlined in the build.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: { codeSplitting: { groups } },
    },
  },
})

/** What the `<head>` of every page has. */
function commonHead(): Plugin {
  const head = readFileSync(join(import.meta.dirname, 'head.html'), 'utf8').trim()
  const handler = (html: string) => html.replace('<!-- head.html -->', head)
  return { name: 'common-head', transformIndexHtml: { order: 'pre', handler } }
}

/** The place in each page where the server writes its settings. */
function settingsBlock(): Plugin {
  const block = {
    tag: 'script',
    attrs: { type: 'application/json', id: 'settings' },
    children: '__SETTINGS__',
    injectTo: 'body' as const,
  }
  return { name: 'settings-block', transformIndexHtml: () => [block] }
}

/** The pages are readable without scripts: styles are loaded first. */
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
