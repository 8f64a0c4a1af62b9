import type { Granted, KratosProvider, ProviderCall, ProviderKind } from '@ostiary/identity/providers'
import { providerError, readApi, server, urlAt, valueAt } from '@ostiary/identity/providers'
import { z } from 'zod'
import { x } from './x.ts'

/**
 * Providers that speak OAuth 2.0 and identify the user by an API. The claims are named as in Ory Kratos. Only
 * those that say so have verified the address (SEC-26).
 */
export const oauth: Readonly<Record<Exclude<KratosProvider, 'x'>, ProviderKind>> = {
  amazon: {
    metadata: () =>
      server('https://api.amazon.com/auth/o2/token', {
        authorize: 'https://www.amazon.com/ap/oa',
        token: 'https://api.amazon.com/auth/o2/token',
        user: 'https://api.amazon.com/user/profile',
      }),
    api: { claims: { sub: 'user_id', name: 'name', email: 'email', zoneinfo: 'postal_code' } },
  },
  dingtalk: {
    metadata: () =>
      server('https://api.dingtalk.com/v1.0/contact/users/me', {
        authorize: 'https://login.dingtalk.com/oauth2/auth',
        token: 'https://api.dingtalk.com/v1.0/oauth2/userAccessToken',
        user: 'https://api.dingtalk.com/v1.0/contact/users/me',
      }),
    parameters: () => ({ prompt: 'consent' }),
    ignoresPkce: true,
    api: {
      requestToken: requestDingTalkToken,
      headers: (token) => ({ 'x-acs-dingtalk-access-token': token }),
      claims: { sub: 'openId', name: 'nick', nickname: 'nick', picture: 'avatarUrl', email: 'email' },
    },
  },
  lark: {
    metadata: () =>
      server('https://passport.feishu.cn/suite/passport/oauth/userinfo', {
        authorize: 'https://passport.feishu.cn/suite/passport/oauth/authorize',
        token: 'https://passport.feishu.cn/suite/passport/oauth/token',
        user: 'https://passport.feishu.cn/suite/passport/oauth/userinfo',
      }),
    api: {
      claims: {
        sub: 'open_id',
        name: 'name',
        nickname: 'name',
        picture: 'avatar_url',
        email: 'email',
        phone_number: 'mobile',
      },
    },
  },
  linkedin: {
    metadata: () =>
      server('https://login.linkedin.com/', {
        authorize: 'https://www.linkedin.com/oauth/v2/authorization',
        token: 'https://www.linkedin.com/oauth/v2/accessToken',
        user: 'https://api.linkedin.com/v2/me?projection=(id,localizedFirstName,localizedLastName,profilePicture(displayImage~digitalmediaAsset:playableStreams))',
      }),
    // LinkedIn accepts it from native apps only.
    ignoresPkce: true,
    api: {
      claims: {
        sub: 'id',
        given_name: 'localizedFirstName',
        last_name: 'localizedLastName',
        // The third of four sizes.
        picture: 'profilePicture.displayImage~.elements.2.identifiers.0.identifier',
      },
      also: {
        url: () => 'https://api.linkedin.com/v2/emailAddress?q=members&projection=(elements*(handle~))',
        claims: { email: 'elements.0.handle~.emailAddress' },
      },
    },
  },
  patreon: {
    metadata: () =>
      server('https://www.patreon.com/', {
        authorize: 'https://www.patreon.com/oauth2/authorize',
        token: 'https://www.patreon.com/api/oauth2/token',
        user: 'https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=first_name,last_name,full_name,email,is_email_verified,image_url',
      }),
    api: {
      claims: {
        sub: 'data.id',
        name: 'data.attributes.full_name',
        given_name: 'data.attributes.first_name',
        family_name: 'data.attributes.last_name',
        last_name: 'data.attributes.last_name',
        picture: 'data.attributes.image_url',
        email: 'data.attributes.email',
        email_verified: 'data.attributes.is_email_verified',
      },
    },
  },
  spotify: {
    metadata: () =>
      server('https://accounts.spotify.com/api/token', {
        authorize: 'https://accounts.spotify.com/authorize',
        token: 'https://accounts.spotify.com/api/token',
        user: 'https://api.spotify.com/v1/me',
        authentication: 'client_secret_basic',
      }),
    api: {
      needsScopes: true,
      claims: {
        sub: 'id',
        name: 'display_name',
        nickname: 'display_name',
        picture: 'images.0.url',
        profile: 'external_urls.spotify',
        email: 'email',
        birthdate: 'birthdate',
      },
    },
  },
  uaepass: {
    /** `issuer_url` names the staging environment. */
    metadata: ({ issuer_url = 'https://id.uaepass.ae' }) => {
      const base = urlAt(issuer_url, '')
      return server(base, {
        authorize: `${base}/idshub/authorize`,
        token: `${base}/idshub/token`,
        user: `${base}/idshub/userinfo`,
        authentication: 'client_secret_basic',
      })
    },
    sharesCallback: true,
    parameters: () => ({ acr_values: 'urn:safelayer:tws:policies:authentication:level:low' }),
    api: {
      claims: {
        sub: 'sub',
        name: 'fullnameEN',
        given_name: 'firstnameEN',
        last_name: 'lastnameEN',
        email: 'email',
      },
    },
  },
  vk: {
    metadata: () =>
      server('https://api.vk.com/method/users.get', {
        authorize: 'https://oauth.vk.com/authorize',
        token: 'https://oauth.vk.com/access_token',
        user: 'https://api.vk.com/method/users.get?fields=photo_200,nickname,bdate,sex&v=5.131',
      }),
    api: {
      claims: {
        sub: 'response.0.id',
        given_name: 'response.0.first_name',
        family_name: 'response.0.last_name',
        nickname: 'response.0.nickname',
        picture: 'response.0.photo_200',
        gender: (answer) => ['', 'female', 'male'][Number(valueAt(answer, 'response.0.sex'))],
        birthdate: 'response.0.bdate',
        email: (_answer, { email }) => email,
      },
    },
  },
  yandex: {
    metadata: () =>
      server('https://login.yandex.ru/info', {
        authorize: 'https://oauth.yandex.com/authorize',
        token: 'https://oauth.yandex.com/token',
        user: 'https://login.yandex.ru/info?format=json',
      }),
    api: {
      headers: (token) => ({ Authorization: `OAuth ${token}` }),
      claims: {
        sub: 'id',
        given_name: 'first_name',
        family_name: 'last_name',
        picture: ({ is_avatar_empty, default_avatar_id }) =>
          is_avatar_empty === false &&
          `https://avatars.yandex.net/get-yapic/${default_avatar_id}/islands-200`,
        email: 'default_email',
        gender: 'sex',
        birthdate: 'birthday',
      },
    },
  },
}

const dingTalkReply = z.object({ accessToken: z.string().min(1) })

/** In JSON, with other names. */
async function requestDingTalkToken(call: ProviderCall, answer: URLSearchParams): Promise<Granted> {
  const { config, fetch } = call
  const code = answer.get('code') ?? answer.get('authCode')
  if (!code) throw providerError(config, 'The response was incomplete. Please try again.')
  const url = call.server.token_endpoint ?? ''
  const { client_id: clientId, client_secret: clientSecret } = config
  const body = JSON.stringify({ clientId, clientSecret, code, grantType: 'authorization_code' })
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  const { accessToken } = await readApi(config, url, response, dingTalkReply)
  return { access_token: accessToken, scope: '' }
}

export const providers: Readonly<Record<KratosProvider, ProviderKind>> = { ...oauth, x }
