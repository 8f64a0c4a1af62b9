import { z } from 'zod'
import { below } from '../../../config/base-url.ts'
import type { Claims } from '../claims.ts'
import { askApi, assertScope, grantedScopes, readApi } from './api.ts'
import type { Fetch, Granted, ProviderConfig, ProviderKind } from './provider.ts'

/** OAuth only. `issuer_url` names an Enterprise Server. */
export const github: ProviderKind = {
  metadata(config) {
    const base = homeOf(config)
    return {
      issuer: `${base}/login/oauth`,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: tokenEndpoint(config),
    }
  },
  onlyProviderVerifies: true,
  hosts: ['github.com', 'api.github.com'],
  scope: ({ scope }) => scope,
  async claims(config, granted, fetch) {
    assertScope(config, granted)
    const user = await readUser(config, granted, fetch)
    const mail = grantedScopes(granted).includes(MAIL_SCOPE) ? await readMail(config, granted, fetch) : {}
    return { ...user, ...mail }
  },
}

const MAIL_SCOPE = 'user:email'
const NO_REPLY = '@users.noreply.github.com'

function homeOf({ issuer_url }: ProviderConfig): string {
  return below(issuer_url ?? 'https://github.com', '')
}

function tokenEndpoint(config: ProviderConfig): string {
  return `${homeOf(config)}/login/oauth/access_token`
}

const text = z.string().nullish()
const userReply = z.object({
  // GitHub can reassign the login name, but not the number (SEC-26).
  id: z.int().positive(),
  login: z.string(),
  name: text,
  blog: text,
  avatar_url: text,
  html_url: text,
  updated_at: text,
})

async function readUser(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims> {
  const response = await ask(config, '/user', granted, fetch)
  const { id, login, name, blog, avatar_url, html_url, updated_at } = await readApi(
    config,
    '/user',
    response,
    userReply,
  )
  return {
    iss: tokenEndpoint(config),
    sub: String(id),
    name,
    nickname: login,
    website: blog,
    picture: avatar_url,
    profile: html_url,
    updated_at: updated_at ? Math.floor(Date.parse(updated_at) / 1000) : undefined,
  }
}

const mailReply = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** If the primary address is unreadable, the form asks for one (SEC-32). */
async function readMail(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims> {
  const response = await ask(config, '/user/emails?per_page=100', granted, fetch)
  if (response.status === 403 || response.status === 404) return {}
  const mails = await readApi(config, '/user/emails', response, mailReply)
  const primary = mails.find((one) => one.primary)
  if (!primary || primary.email.toLowerCase().endsWith(NO_REPLY)) return {}
  return { email: primary.email, email_verified: primary.verified }
}

function ask(config: ProviderConfig, path: string, granted: Granted, fetch: Fetch): Promise<Response> {
  const base = config.issuer_url === undefined ? 'https://api.github.com' : `${homeOf(config)}/api/v3`
  return askApi(`${base}${path}`, granted, fetch, {
    Accept: 'application/vnd.github+json',
    'User-Agent': 'my-app',
    'X-GitHub-Api-Version': '2022-11-28',
  })
}
