import { Hono } from 'hono'
import type { Settings } from '../settings/env.ts'
import type { Pages } from './spa.ts'

interface WellKnownParts {
  readonly settings: Pick<Settings, 'public_url' | 'security_contact'>
  readonly now: () => Date
  readonly pages: Pick<Pages, 'hasPage'>
}

const dayMs = 86_400_000

export function wellKnownRoutes({ settings, now, pages }: WellKnownParts): Hono {
  const { public_url, security_contact } = settings
  const app = new Hono()
  // RFC 9116: at most a year ahead. Renewed daily.
  app.get('/.well-known/security.txt', (c) => {
    const expires = new Date(Math.ceil(now().getTime() / dayMs + 180) * dayMs).toISOString()
    return c.text(
      [
        `Contact: ${security_contact}`,
        `Expires: ${expires}`,
        `Canonical: ${public_url}/.well-known/security.txt`,
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
    const url = `${public_url}/settings/security`
    return c.json({ enroll: url, manage: url })
  })
  app.get('/robots.txt', (c) =>
    c.text(
      ['User-agent: *', 'Disallow: /api/', 'Disallow: /.ory/', 'Disallow: /demo/', 'Allow: /', ''].join('\n'),
    ),
  )
  return app
}
