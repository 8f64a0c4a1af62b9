import { createHmac } from 'node:crypto'
import { urlAt } from '../../../config/base-url.ts'
import { isObject } from '../../../input/json.ts'
import type { Claims } from '../claims.ts'
import { server } from './api.ts'
import type { ProviderKind } from './provider.ts'

/**
 * Providers that speak OAuth 2.0 and identify the user by an API. The claims are named as in Ory Kratos. Only
 * those that say so have verified the address (SEC-26). `@ostiary/kratos` has the others.
 */
export const oauth = {
  discord: {
    metadata: () =>
      server('https://discord.com/api/oauth2/', {
        authorize: 'https://discord.com/oauth2/authorize',
        token: 'https://discord.com/api/oauth2/token',
        user: 'https://discord.com/api/v10/users/@me',
      }),
    // By default Discord asks for consent every time.
    parameters: (_config, refresh) => ({ prompt: refresh ? 'consent' : 'none' }),
    api: {
      needsScopes: true,
      claims: {
        sub: 'id',
        name: ({ global_name, username }) => global_name ?? username,
        nickname: 'username',
        preferred_username: 'username',
        picture: ({ id, avatar }) => avatar && `https://cdn.discordapp.com/avatars/${id}/${avatar}.png`,
        locale: 'locale',
        email: 'email',
        email_verified: 'verified',
      },
    },
  },
  facebook: {
    metadata: () =>
      server('https://graph.facebook.com/me', {
        authorize: 'https://www.facebook.com/dialog/oauth',
        token: 'https://graph.facebook.com/oauth/access_token',
        user: 'https://graph.facebook.com/me?fields=id,name,first_name,last_name,middle_name,email,picture,birthday,gender',
      }),
    parameters: (_config, refresh): Record<string, string> =>
      refresh ? { auth_type: 'reauthenticate' } : {},
    api: {
      // A token stolen from another client is useless without the secret.
      query: ({ client_secret = '' }, token) => ({
        appsecret_proof: createHmac('sha256', client_secret).update(token).digest('hex'),
      }),
      claims: {
        sub: 'id',
        name: 'name',
        given_name: 'first_name',
        family_name: 'last_name',
        middle_name: 'middle_name',
        nickname: 'name',
        preferred_username: 'name',
        picture: 'picture.data.url',
        email: 'email',
        gender: 'gender',
        birthdate: 'birthday',
      },
    },
  },
  github: gitHub({ needsScopes: true }),
  // Permissions of an app are not scopes.
  'github-app': gitHub({}),
} as const satisfies Readonly<Record<string, ProviderKind>>

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
