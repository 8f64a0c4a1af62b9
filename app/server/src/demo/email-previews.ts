import type { EmailTemplate, Mailer } from '@my-app/identity'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { ProductError } from '../http/errors.ts'
import type { HeaderSet } from '../http/header-sets.ts'

export interface PreviewParts {
  readonly emails: readonly EmailTemplate<object>[]
  readonly mail: Pick<Mailer, 'preview'>
}

export function emailPreviews({ emails, mail }: PreviewParts, headers: HeaderSet): Hono {
  const app = new Hono()
  app.get('/', async () => {
    const links = emails.map(({ name }) => html`<li><a href="/demo/emails/${name}">${name}</a></li>`)
    const shown = links.length > 0 ? html`<ul>${links}</ul>` : html`<p>product.ts lists no emails.</p>`
    const list = await html`<!doctype html><title>Emails</title>${shown}`
    return new Response(list, { headers })
  })
  app.get('/:name', (c) => {
    const template = emails.find(({ name }) => name === c.req.param('name'))
    if (!template) throw new ProductError('not_found', 404, 'product.ts lists no such email')
    return new Response(mail.preview(template).html, { headers })
  })
  return app
}
