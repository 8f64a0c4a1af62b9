import { recordRoute } from '@ostiary/identity/serving'
import { type Context, Hono } from 'hono'
import type { HeaderSets } from '../http/header-sets.ts'
import { sendFile } from '../pages/spa.ts'
import type { loadAdminFiles } from '../pages/spa-files.ts'

export const ADMIN_PAGE = '/ui'

/** Holds no data: they come from the admin API, which may require a token. */
export function adminPage(
  files: ReturnType<typeof loadAdminFiles>,
  headerSets: HeaderSets,
  admin_host: string,
): Hono {
  const app = new Hono()
  const page = (c: Context) => sendFile(c, files.page, headerSets.adminPage)
  // Otherwise, with DNS rebinding, another page could read what is typed into this one.
  const ownHosts = [admin_host, `[${admin_host}]`, 'localhost', '127.0.0.1', '[::1]']
  for (const path of ['/', `${ADMIN_PAGE}/*`])
    app.use(path, recordRoute(), async (c, next) => {
      if (ownHosts.includes(new URL(c.req.url).hostname)) return await next()
      return c.text(`Open this page by the address ${admin_host}, or on the machine itself.\n`, 403)
    })
  app.get('/', (c) => c.redirect(ADMIN_PAGE))
  app.get(ADMIN_PAGE, page)
  app.get(`${ADMIN_PAGE}/*`, async (c) => {
    const file = files.files.get(c.req.path)
    if (file)
      return await sendFile(c, file, c.req.path.includes('/assets/') ? headerSets.asset : headerSets.file)
    return /\.[a-z\d]+$/i.test(c.req.path) ? c.text('404 Not Found\n', 404) : await page(c)
  })
  return app
}
