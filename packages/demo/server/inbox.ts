import type { EmailTemplate, Identity, Mail } from '@ostiary/identity'
import { ProductError } from '@ostiary/server'
import { Hono } from 'hono'

/** A preview has no recipient and no time. */
export interface DemoMail extends Pick<Mail, 'id' | 'subject' | 'body' | 'html' | 'template_type'> {
  readonly recipient?: string | undefined
  readonly created_at?: string | undefined
}

export interface InboxMail extends Omit<DemoMail, 'html'> {
  readonly html_url: string
  readonly code?: string | undefined
  readonly use_url?: string | undefined
}

interface InboxParts {
  /** The part of its paths, such as `mails`. */
  readonly name: string
  readonly list: () => readonly DemoMail[] | Promise<readonly DemoMail[]>
  readonly public_url: URL
}

const HEADERS = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Emails use style attributes, and links open in a new tab.
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
  'X-Frame-Options': 'SAMEORIGIN',
  'Content-Type': 'text/html; charset=utf-8',
}

export function demoInbox({ name, list, public_url }: InboxParts): Hono {
  const app = new Hono()
  app.get(`/api/${name}`, async (c) => {
    const mails = await list()
    return c.json({ mails: mails.map((mail) => publicMail(mail, name, public_url)) })
  })
  app.get(`/${name}/:id`, async (c) => {
    const mail = (await list()).find(({ id }) => id === c.req.param('id'))
    if (!mail) throw new ProductError('not_found', 404, 'The demo has no such email')
    return new Response(inTheme(mail.html, c.req.query('theme')), { headers: HEADERS })
  })
  return app
}

/** Every email that the product and the identity service may send, with sample data. */
export function previewEmails({ mail }: Pick<Identity, 'mail'>, emails: readonly EmailTemplate<object>[]) {
  const ownTemplates = emails.map((template) => ({ template_type: template.name, ...mail.preview(template) }))
  return [...ownTemplates, ...mail.previewOwn()].map(({ template_type, text, ...rendered }) => {
    return { ...rendered, id: template_type, template_type, body: text }
  })
}

function publicMail(mail: DemoMail, name: string, public_url: URL): InboxMail {
  const { id, recipient, subject, body, template_type, created_at } = mail
  const shownMail = { id, recipient, subject, body, template_type, created_at }
  const html_url = `/demo/${name}/${encodeURIComponent(id)}`
  // A sample's code opens nothing.
  if (recipient === undefined) return { ...shownMail, html_url }
  const code = /(?<![\w-])\d{6}(?![\w-])/.exec(`${subject}\n${body}`)?.[0]
  return { ...shownMail, html_url, code, use_url: findOwnUrl(body, public_url) }
}

/** Whatever theme the browser prefers. */
function inTheme(html: string, theme: string | undefined): string {
  if (theme !== 'light' && theme !== 'dark') return html
  return html.replace(/\(prefers-color-scheme:\s*(light|dark)\)/g, (_, name) =>
    name === theme ? '(min-width: 0)' : '(max-width: 0)',
  )
}

function findOwnUrl(body: string, public_url: URL): string | undefined {
  const links = body.match(/https?:\/\/[^\s<>"]+/g) ?? []
  return links.find((link) => URL.canParse(link) && new URL(link).origin === public_url.origin)
}
