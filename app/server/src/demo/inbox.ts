import { Hono } from 'hono'
import { ProductError } from '../http/errors.ts'
import type { HeaderSet } from '../http/header-sets.ts'

export interface DemoMail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly html: string
  readonly template_type: string
  readonly created_at: string
}

export interface InboxParts {
  readonly listMails: (limit: number) => Promise<readonly DemoMail[]>
  readonly public_url: URL
  readonly mailHeaders: HeaderSet
}

const shownMails = 100

export function demoInbox({ listMails, public_url, mailHeaders }: InboxParts): Hono {
  const app = new Hono()
  app.get('/api/mails', async (c) => {
    const mails = await listMails(shownMails)
    return c.json({ mails: mails.map((mail) => publicMail(mail, public_url)) })
  })
  app.get('/mails/:id', async (c) => {
    const mails = await listMails(shownMails)
    const mail = mails.find(({ id }) => id === c.req.param('id'))
    if (!mail) throw new ProductError('not_found', 404, 'This email is not in the inbox')
    return new Response(mail.html, { headers: mailHeaders })
  })
  return app
}

function publicMail(mail: DemoMail, public_url: URL) {
  const { id, recipient, subject, body, template_type, created_at } = mail
  return {
    id,
    recipient,
    subject,
    body,
    template_type,
    created_at,
    code: findCode(`${subject}\n${body}`),
    use_url: findOwnUrl(body, public_url),
  }
}

function findCode(text: string): string | undefined {
  return /(?<![\d-])\d{6}(?![\d-])/.exec(text)?.[0]
}

function findOwnUrl(body: string, public_url: URL): string | undefined {
  const links = body.match(/https?:\/\/[^\s<>"]+/g) ?? []
  return links.find((link) => URL.canParse(link) && new URL(link).origin === public_url.origin)
}
