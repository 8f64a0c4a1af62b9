import { urlAt } from '../../../config/base-url.ts'
import { isObject } from '../../../input/json.ts'
import type { Claims } from '../claims.ts'
import { server } from './api.ts'
import type { ProviderKind } from './provider.ts'

export const github = {
  github: gitHub({ needsScopes: true }),
  // Permissions of an app are not scopes.
  'github-app': gitHub({}),
}

/** `issuer_url` names an Enterprise Server. */
function gitHub(more: { readonly needsScopes?: true }): ProviderKind {
  return {
    metadata: ({ issuer_url }) => {
      const base = urlAt(issuer_url ?? 'https://github.com', '')
      return server(`${base}/login/oauth`, {
        authorize: `${base}/login/oauth/authorize`,
        token: `${base}/login/oauth/access_token`,
        user: issuer_url === undefined ? 'https://api.github.com/user' : `${base}/api/v3/user`,
      })
    },
    api: {
      ...more,
      iss: ({ issuer }) => `${issuer}/access_token`,
      headers: () => ({
        Accept: 'application/vnd.github+json',
        'User-Agent': 'ostiary',
        'X-GitHub-Api-Version': '2022-11-28',
      }),
      claims: {
        // GitHub can reassign the login name, but not the number (SEC-26).
        sub: 'id',
        name: 'name',
        nickname: 'login',
        website: 'blog',
        picture: 'avatar_url',
        profile: 'html_url',
        updated_at: 'updated_at',
      },
      // If the primary address is unreadable, the form asks for one (SEC-32).
      also: {
        url: (user) => `${user}/emails?per_page=100`,
        claims: {
          email: (mails) => primaryOf(mails)?.email,
          email_verified: (mails) => primaryOf(mails)?.verified,
        },
      },
    },
  }
}

const NO_REPLY = '@users.noreply.github.com'

function primaryOf(mails: unknown): Claims | undefined {
  const primary = Array.isArray(mails)
    ? mails.find((one) => isObject(one) && one.primary === true)
    : undefined
  return String(primary?.email).toLowerCase().endsWith(NO_REPLY) ? undefined : primary
}
