import type { RequestListener } from 'node:http'
import { createDevMiddleware, panelSource } from '@ostiary/ui/dev-server'
import { type Context, Hono } from 'hono'
import { ADMIN_PAGE } from '../admin/page.ts'
import { redirectAnonymous } from '../pages/spa.ts'
import { addScripts, injectSettings, type PageSettings } from '../pages/spa-files.ts'
import { type Policy, SOURCE_PARTS, scriptsOf, sourcesOf } from '../product/policy.ts'
import { repositoryRoot } from '../repository.ts'

/** Vite injects scripts and styles and uses a web socket. */
function developmentPolicy(policy: Policy): string {
  const origins = SOURCE_PARTS.flatMap((part) => sourcesOf(policy, part))
  const sources = ["'self' 'unsafe-inline' 'unsafe-eval' data: ws:", ...new Set(origins)].join(' ')
  // Its client waits for a restarted server in a worker.
  return `default-src ${sources}; worker-src 'self' blob:; frame-ancestors 'none'`
}

/** Only for `npm run dev`: production has no Vite. */
export async function createDev(settings: PageSettings, policy: Policy) {
  const vite = await createDevMiddleware(repositoryRoot)
  const page = async (c: Context) => {
    const html = injectSettings(await vite.transformPage(c.req.path), settings, panelOf(c))
    const isOfApp = !/^\/(ui|demo)(\/|$)/.test(c.req.path)
    return c.html(isOfApp ? addScripts(html, scriptsOf(policy)) : html, 200, {
      'Content-Security-Policy': developmentPolicy(policy),
      'Cache-Control': 'no-store',
    })
  }
  const panelOf = (c: Context) =>
    settings.demo && !/^\/(ui|demo\/(inbox|emails))(\/|$)/.test(c.req.path) ? panelSource : undefined
  return {
    pages: {
      app: new Hono().get(
        '*',
        async (c) => redirectAnonymous(c, await vite.loginPathFor(c.req.path)) ?? (await page(c)),
      ),
      hasPage: () => true,
    },
    adminPage: new Hono().get('/', (c) => c.redirect(ADMIN_PAGE)).get(`${ADMIN_PAGE}/*`, page),
    wrap:
      (listener: RequestListener): RequestListener =>
      (request, response) =>
        vite.middleware(request, response, () => listener(request, response)),
    attach: vite.attach,
    close: () => vite.close(),
  }
}
