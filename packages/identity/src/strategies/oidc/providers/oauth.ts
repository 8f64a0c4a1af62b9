import { createHmac } from 'node:crypto'
import { server } from './api.ts'
import { github } from './github.ts'
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
  ...github,
} as const satisfies Readonly<Record<string, ProviderKind>>
