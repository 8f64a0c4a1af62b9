import { z } from 'zod'
import { below } from '../../../config/base-url.ts'
import { FormError } from '../../../errors/errors.ts'
import { messages } from '../../../ui/messages.ts'
import type { Claims } from '../claims.ts'
import type { Fetch } from '../outgoing.ts'
import { readJson } from '../outgoing.ts'
import { unusable } from '../problems.ts'
import type { Granted, ProviderConfig, ProviderKind } from './provider.ts'

/** GitHub supports only OAuth. `issuer_url` names an Enterprise Server. */
export const github: ProviderKind = {
  endpoints({ issuer_url }) {
    const base = below(issuer_url ?? 'https://github.com', '')
    return {
      issuer: `${base}/login/oauth`,
      authorization_endpoint: `${base}/login/oauth/authorize`,
      token_endpoint: `${base}/login/oauth/access_token`,
      api: issuer_url === undefined ? 'https://api.github.com' : `${base}/api/v3`,
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

/** Users may deny scopes on GitHub's page. */
function assertScope(config: ProviderConfig, granted: Granted): void {
  const given = grantedScopes(granted)
  const missing = config.scope.filter((name) => !given.includes(name))
  if (missing.length === 0) return
  throw new FormError(
    messages.generic(
      `GitHub was not allowed to share the required data (${missing.join(', ')}). Please try again.`,
    ),
  )
}

function grantedScopes({ scope }: Granted): readonly string[] {
  return scope.split(/[\s,]+/).filter((name) => name !== '')
}

const text = z.string().nullish()
const userReply = z.object({
  // GitHub can reassign the login name but not the number (SEC-26).
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
  if (!response.ok) throw unusable(config, `/user responded with ${response.status}`)
  const user = userReply.safeParse(await readJson(config, response))
  if (!user.success) throw unusable(config, '/user has an unexpected format')
  const { id, login, name, blog, avatar_url, html_url, updated_at } = user.data
  return {
    iss: github.endpoints?.(config).token_endpoint,
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

/** The form asks for an address if the primary one is unreadable (SEC-32). */
async function readMail(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims> {
  const response = await ask(config, '/user/emails?per_page=100', granted, fetch)
  if (response.status === 403 || response.status === 404) return {}
  if (!response.ok) throw unusable(config, `/user/emails responded with ${response.status}`)
  const mails = mailReply.safeParse(await readJson(config, response))
  if (!mails.success) throw unusable(config, '/user/emails has an unexpected format')
  const primary = mails.data.find((one) => one.primary)
  if (!primary || primary.email.toLowerCase().endsWith(NO_REPLY)) return {}
  return { email: primary.email, email_verified: primary.verified }
}

function ask(
  config: ProviderConfig,
  path: string,
  { access_token }: Granted,
  fetch: Fetch,
): Promise<Response> {
  return fetch(`${github.endpoints?.(config).api}${path}`, {
    headers: {
      Accept: 'application/vnd.github+json',
      Authorization: `Bearer ${access_token}`,
      'User-Agent': 'my-app',
      'X-GitHub-Api-Version': '2022-11-28',
    },
  })
}
