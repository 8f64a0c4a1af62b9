import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { PUBLIC } from '../../kit/kit.ts'
import {
  MAIL,
  NAMES,
  OAUTH,
  PERSON,
  PICTURE,
  SECRET,
  testDocumented,
} from '../../servers/documented-provider.ts'

testDocumented({
  amazon: {
    config: { scope: ['profile', 'postal_code'] },
    authorize: 'https://www.amazon.com/ap/oa',
    asks: { scope: 'profile postal_code', nonce: undefined, code_challenge_method: 'S256' },
    replies: {
      'https://api.amazon.com/auth/o2/token': OAUTH,
      'https://api.amazon.com/user/profile': {
        user_id: 'amzn1.account.K2LI23KL2LK2',
        email: MAIL,
        name: 'Grace Hopper',
        postal_code: '98052',
      },
    },
    claims: {
      iss: 'https://api.amazon.com/auth/o2/token',
      sub: 'amzn1.account.K2LI23KL2LK2',
      name: 'Grace Hopper',
      email: MAIL,
      zoneinfo: '98052',
    },
  },
  dingtalk: {
    config: { scope: ['openid'] },
    authorize: 'https://login.dingtalk.com/oauth2/auth',
    asks: { scope: 'openid', prompt: 'consent', code_challenge: undefined },
    replies: {
      'https://api.dingtalk.com/v1.0/oauth2/userAccessToken': (_request, body) => {
        const client = { clientId: 'my-app', clientSecret: SECRET }
        assert.deepEqual(JSON.parse(body), { ...client, code: 'a-code', grantType: 'authorization_code' })
        return { accessToken: 'token', refreshToken: 'more', expireIn: 7200, corpId: 'corp' }
      },
      'https://api.dingtalk.com/v1.0/contact/users/me': ({ headers }) => {
        assert.equal(headers['x-acs-dingtalk-access-token'], 'token')
        return { nick: 'Grace', avatarUrl: PICTURE, openId: '123', unionId: 'z21', email: MAIL }
      },
    },
    claims: {
      iss: 'https://api.dingtalk.com/v1.0/contact/users/me',
      sub: '123',
      name: 'Grace',
      nickname: 'Grace',
      picture: PICTURE,
      email: MAIL,
    },
  },
  discord: {
    config: { scope: ['identify', 'email'] },
    authorize: 'https://discord.com/oauth2/authorize',
    asks: { scope: 'identify email', prompt: 'none' },
    replies: {
      'https://discord.com/api/oauth2/token': { ...OAUTH, scope: 'email identify' },
      'https://discord.com/api/v10/users/@me': {
        id: '80351110224678912',
        username: 'grace',
        global_name: 'Grace',
        avatar: '8342729096',
        locale: 'en-US',
        verified: true,
        email: MAIL,
      },
    },
    claims: {
      iss: 'https://discord.com/api/oauth2/',
      sub: '80351110224678912',
      name: 'Grace',
      nickname: 'grace',
      preferred_username: 'grace',
      picture: 'https://cdn.discordapp.com/avatars/80351110224678912/8342729096.png',
      locale: 'en-US',
      email: MAIL,
      email_verified: true,
    },
  },
  facebook: {
    config: { scope: ['email'] },
    authorize: 'https://www.facebook.com/dialog/oauth',
    asks: { scope: 'email', nonce: undefined },
    replies: {
      'https://graph.facebook.com/oauth/access_token': OAUTH,
      'https://graph.facebook.com/me': ({ url = '' }) => {
        const proof = createHmac('sha256', SECRET).update('token').digest('hex')
        assert.equal(new URL(url, 'https://graph.facebook.com').searchParams.get('appsecret_proof'), proof)
        return {
          id: '10151',
          name: 'Grace Hopper',
          first_name: 'Grace',
          last_name: 'Hopper',
          email: MAIL,
          picture: { data: { url: PICTURE, is_silhouette: false } },
          birthday: '12/09/1906',
        }
      },
    },
    claims: {
      iss: 'https://graph.facebook.com/me',
      sub: '10151',
      ...NAMES,
      nickname: 'Grace Hopper',
      preferred_username: 'Grace Hopper',
      picture: PICTURE,
      email: MAIL,
      birthdate: '12/09/1906',
    },
  },
  lark: {
    config: { scope: [] },
    authorize: 'https://passport.feishu.cn/suite/passport/oauth/authorize',
    asks: { scope: undefined },
    replies: {
      'https://passport.feishu.cn/suite/passport/oauth/token': { ...OAUTH, token_type: 'Bearer' },
      'https://passport.feishu.cn/suite/passport/oauth/userinfo': {
        sub: 'ou_1',
        name: 'Grace',
        open_id: 'ou_1',
        union_id: 'on_1',
        avatar_url: PICTURE,
        email: MAIL,
        mobile: '+86130002883xx',
      },
    },
    claims: {
      iss: 'https://passport.feishu.cn/suite/passport/oauth/userinfo',
      sub: 'ou_1',
      name: 'Grace',
      nickname: 'Grace',
      picture: PICTURE,
      email: MAIL,
      phone_number: '+86130002883xx',
    },
  },
  patreon: {
    config: { scope: ['identity', 'identity[email]'] },
    authorize: 'https://www.patreon.com/oauth2/authorize',
    replies: {
      'https://www.patreon.com/api/oauth2/token': { ...OAUTH, token_type: 'Bearer' },
      'https://www.patreon.com/api/oauth2/v2/identity': {
        data: {
          id: '12345689',
          type: 'user',
          attributes: {
            email: MAIL,
            is_email_verified: true,
            full_name: 'Grace Hopper',
            first_name: 'Grace',
            last_name: 'Hopper',
            image_url: PICTURE,
          },
        },
      },
    },
    claims: { iss: 'https://www.patreon.com/', ...PERSON, sub: '12345689', last_name: 'Hopper' },
  },
  spotify: {
    config: { scope: ['user-read-email'] },
    authorize: 'https://accounts.spotify.com/authorize',
    replies: {
      'https://accounts.spotify.com/api/token': ({ headers }) => {
        assert.match(headers.authorization ?? '', /^Basic /)
        return { ...OAUTH, token_type: 'Bearer', scope: 'user-read-email' }
      },
      'https://api.spotify.com/v1/me': {
        id: 'grace',
        display_name: 'Grace',
        email: MAIL,
        images: [{ url: PICTURE, height: 64, width: 64 }],
        external_urls: { spotify: 'https://open.spotify.com/user/grace' },
      },
    },
    claims: {
      iss: 'https://accounts.spotify.com/api/token',
      sub: 'grace',
      name: 'Grace',
      nickname: 'Grace',
      picture: PICTURE,
      profile: 'https://open.spotify.com/user/grace',
      email: MAIL,
    },
  },
  uaepass: {
    config: {
      scope: ['openid', 'urn:uae:digitalid:profile:general'],
      issuer_url: 'https://stg-id.uaepass.ae/',
    },
    authorize: 'https://stg-id.uaepass.ae/idshub/authorize',
    asks: {
      acr_values: 'urn:safelayer:tws:policies:authentication:level:low',
      redirect_uri: `${PUBLIC}/self-service/methods/oidc/callback`,
    },
    replies: {
      'https://stg-id.uaepass.ae/idshub/token': { ...OAUTH, id_token: 'not.for.us' },
      'https://stg-id.uaepass.ae/idshub/userinfo': {
        sub: 'UAEPASS/5c4f',
        email: MAIL,
        fullnameEN: 'Grace Hopper',
        firstnameEN: 'Grace',
        lastnameEN: 'Hopper',
        userType: 'SOP3',
      },
    },
    claims: {
      iss: 'https://stg-id.uaepass.ae',
      sub: 'UAEPASS/5c4f',
      name: 'Grace Hopper',
      given_name: 'Grace',
      last_name: 'Hopper',
      email: MAIL,
    },
  },
  vk: {
    config: { scope: ['email'] },
    authorize: 'https://oauth.vk.com/authorize',
    replies: {
      'https://oauth.vk.com/access_token': {
        access_token: 'token',
        expires_in: 0,
        user_id: 66748,
        email: MAIL,
      },
      'https://api.vk.com/method/users.get': {
        response: [{ id: 66748, first_name: 'Grace', last_name: 'Hopper', sex: 1, photo_200: PICTURE }],
      },
    },
    claims: {
      iss: 'https://api.vk.com/method/users.get',
      sub: '66748',
      given_name: 'Grace',
      family_name: 'Hopper',
      picture: PICTURE,
      gender: 'female',
      email: MAIL,
    },
  },
  yandex: {
    config: { scope: ['login:email', 'login:info', 'login:avatar'] },
    authorize: 'https://oauth.yandex.com/authorize',
    replies: {
      'https://oauth.yandex.com/token': OAUTH,
      'https://login.yandex.ru/info': ({ headers }) => {
        assert.equal(headers.authorization, 'OAuth token')
        return {
          id: '1000034426',
          first_name: 'Grace',
          last_name: 'Hopper',
          default_email: MAIL,
          default_avatar_id: '131652443',
          is_avatar_empty: false,
          sex: 'female',
          birthday: '1906-12-09',
        }
      },
    },
    claims: {
      iss: 'https://login.yandex.ru/info',
      sub: '1000034426',
      given_name: 'Grace',
      family_name: 'Hopper',
      picture: 'https://avatars.yandex.net/get-yapic/131652443/islands-200',
      gender: 'female',
      birthdate: '1906-12-09',
      email: MAIL,
    },
  },
})
