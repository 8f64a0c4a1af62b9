import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSpaFiles, type PageSettings, type SpaFiles } from '../src/pages/spa-files.ts'
import { type Policy, scriptsOf } from '../src/product/policy.ts'

const page = (title: string) =>
  `<!doctype html><head><title>${title}</title><meta property="og:image" content="__ORIGIN__/preview.png" /></head><body><script type="application/json" id="settings">__SETTINGS__</script>${'<p>text</p>'.repeat(50)}</body>`

interface BuildOptions {
  readonly demo?: boolean
  readonly policy?: Policy
}

/** Smaller than Vite's. */
export function buildPages({ demo = true, policy = {} }: BuildOptions = {}): SpaFiles {
  const dist = mkdtempSync(join(tmpdir(), 'my-app-pages-'))
  for (const folder of ['assets', 'links', '.admin']) mkdirSync(join(dist, folder))
  const files: Record<string, string> = {
    'index.html': page('Home'),
    'login.html': page('Login'),
    'dashboard.html': page('Dashboard'),
    'links/new.html': page('New link'),
    'links/_id.html': page('Link'),
    '404.html': page('404 Not Found'),
    'demo-pages.html': page('Inbox'),
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/index-4f3a.js': 'console.log("hello")\n'.repeat(200),
    'assets/index-4f3a.js.map': '{}',
    '.admin/admin.js': 'console.log("admin")\n',
    'assets/panel-1a2b.js': 'console.log("panel")\n',
    'routes.json': JSON.stringify({
      pages: {
        '/': 'index.html',
        '/login': 'login.html',
        '/dashboard': 'dashboard.html',
        '/links/new': 'links/new.html',
        '/links/:id': 'links/_id.html',
      },
      loginPaths: { '/dashboard': '/', '/links/:id': '/login' },
      not_found: '404.html',
      demo: { '/demo/inbox': 'demo-pages.html', '/demo/emails': 'demo-pages.html' },
      panel: '/assets/panel-1a2b.js',
    }),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dist, name), content)
  const settings = {
    identity_url: 'http://localhost:5200/.ory',
    own: {} as PageSettings['own'],
    token_template: '</script><script>alert(1)</script>',
    demo,
    account_api: true,
  }
  return loadSpaFiles(dist, settings, {
    origin: 'http://localhost:5200',
    hasPanel: demo,
    scripts: scriptsOf(policy),
  })
}
