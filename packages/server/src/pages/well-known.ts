import { Hono } from 'hono'

export interface WellKnownParts {
  readonly public_url: URL
  readonly security_contact: string
  readonly now: () => Date
  readonly pages: { hasPage(path: string): boolean }
}

const dayMs = 86_400_000

export function wellKnownRoutes({ public_url, security_contact, now, pages }: WellKnownParts): Hono {
  const app = new Hono()
  // RFC 9116: at most a year ahead. Renewed daily.
  app.get('/.well-known/security.txt', (c) => {
    const expires = new Date(Math.ceil(now().getTime() / dayMs + 180) * dayMs).toISOString()
    return c.text(
      [
        `Contact: ${security_contact}`,
        `Expires: ${expires}`,
        `Canonical: ${public_url.origin}/.well-known/security.txt`,
        'Preferred-Languages: en',
        '',
      ].join('\n'),
    )
  })
  // https://w3c.github.io/webappsec-change-password-url/
  app.get('/.well-known/change-password', async (c, next) => {
    if (!pages.hasPage('/settings/security')) return next()
    return c.redirect('/settings/security', 303)
  })
  // https://w3c.github.io/webappsec-passkey-endpoints/
  app.get('/.well-known/passkey-endpoints', async (c, next) => {
    if (!pages.hasPage('/settings/security')) return next()
    const url = `${public_url.origin}/settings/security`
    return c.json({ enroll: url, manage: url })
  })
  app.get('/robots.txt', (c) =>
    c.text(
      ['User-agent: *', 'Disallow: /api/', 'Disallow: /.ory/', 'Disallow: /demo/', 'Allow: /', ''].join('\n'),
    ),
  )
  return app
}
