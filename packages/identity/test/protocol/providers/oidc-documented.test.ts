import assert from 'node:assert/strict'
import type { Documented, Reply } from '../../servers/documented-provider.ts'
import {
  KEYS,
  MAIL,
  NAMES,
  OAUTH,
  PERSON,
  PICTURE,
  SECRET,
  TOKENS,
  testDocumented,
} from '../../servers/documented-provider.ts'

testDocumented({
  auth0: {
    config: { issuer_url: 'https://acme.auth0.com' },
    authorize: 'https://acme.auth0.com/authorize',
    asks: { scope: 'email profile openid' },
    idToken: { iss: 'https://acme.auth0.com/', sub: 'auth0|1' },
    replies: {
      ...discovery('https://acme.auth0.com/', 'https://acme.auth0.com'),
      'https://acme.auth0.com/userinfo': {
        ...PERSON,
        sub: 'auth0|1',
        updated_at: '2031-04-02T09:00:00.000Z',
      },
    },
    claims: { ...PERSON, iss: 'https://acme.auth0.com/', sub: 'auth0|1', updated_at: 1_932_886_800 },
  },
  github: {
    config: { scope: ['user:email'] },
    ...gitHub('https://github.com', 'https://api.github.com', { scope: 'user:email,read:user' }),
  },
  'github at an Enterprise Server': {
    config: { provider: 'github', scope: ['user:email'], issuer_url: 'https://git.test' },
    ...gitHub('https://git.test', 'https://git.test/api/v3', { scope: 'user:email' }),
  },
  'github-app': {
    config: { scope: [] },
    ...gitHub('https://github.com', 'https://api.github.com', { scope: '' }),
  },
  gitlab: {
    authorize: 'https://gitlab.com/authorize',
    idToken: { iss: 'https://gitlab.com', sub: '42' },
    replies: {
      ...discovery('https://gitlab.com', 'https://gitlab.com'),
      'https://gitlab.com/userinfo': { ...PERSON, sub: '42', nickname: 'grace' },
    },
    claims: { ...PERSON, iss: 'https://gitlab.com', sub: '42', nickname: 'grace' },
  },
  google: {
    config: { scope: ['email', 'profile', 'offline_access'], requested_claims: { id_token: { hd: null } } },
    authorize: 'https://accounts.google.com/authorize',
    asks: { scope: 'email profile openid', access_type: 'offline', claims: '{"id_token":{"hd":null}}' },
    idToken: { iss: 'https://accounts.google.com', ...PERSON, hd: 'example.com' },
    replies: discovery('https://accounts.google.com', 'https://oauth2.googleapis.com'),
    claims: { iss: 'https://accounts.google.com', ...PERSON, hd: 'example.com' },
  },
  line: {
    algorithm: 'ES256',
    authorize: 'https://access.line.me/oauth2/v2.1/authorize',
    asks: { scope: 'email profile openid' },
    idToken: { iss: 'https://access.line.me', sub: 'U1234', name: 'Grace', picture: PICTURE, email: MAIL },
    replies: {
      'https://api.line.me/oauth2/v2.1/token': (_request, body) => {
        const form = new URLSearchParams(body)
        assert.deepEqual([form.get('id_token_key_type'), form.get('client_secret')], ['JWK', SECRET])
        return TOKENS
      },
      'https://api.line.me/oauth2/v2.1/certs': KEYS,
    },
    claims: { iss: 'https://access.line.me', sub: 'U1234', name: 'Grace', picture: PICTURE, email: MAIL },
  },
  linkedin: {
    config: { scope: ['r_liteprofile', 'r_emailaddress'] },
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    asks: { scope: 'r_liteprofile r_emailaddress', code_challenge: undefined },
    replies: {
      'https://www.linkedin.com/oauth/v2/accessToken': { access_token: 'token', expires_in: 5_184_000 },
      'https://api.linkedin.com/v2/me': {
        id: 'yrZCpj2Z12',
        localizedFirstName: 'Grace',
        localizedLastName: 'Hopper',
        profilePicture: {
          'displayImage~': {
            elements: [100, 200, 400].map((size) => ({
              identifiers: [{ identifier: size === 400 ? PICTURE : `${PICTURE}?${size}` }],
            })),
          },
        },
      },
      'https://api.linkedin.com/v2/emailAddress': { elements: [{ 'handle~': { emailAddress: MAIL } }] },
    },
    claims: {
      iss: 'https://login.linkedin.com/',
      sub: 'yrZCpj2Z12',
      given_name: 'Grace',
      last_name: 'Hopper',
      picture: PICTURE,
      email: MAIL,
    },
  },
  linkedin_v2: {
    authorize: 'https://www.linkedin.com/oauth/v2/authorization',
    asks: { scope: 'email profile openid', nonce: undefined, code_challenge: undefined },
    idToken: { iss: 'https://www.linkedin.com/oauth', sub: '782bbtaQ', nonce: undefined },
    replies: {
      'https://www.linkedin.com/oauth/v2/accessToken': TOKENS,
      'https://www.linkedin.com/oauth/openid/jwks': KEYS,
      'https://api.linkedin.com/v2/userinfo': {
        ...PERSON,
        sub: '782bbtaQ',
        locale: { country: 'US', language: 'en' },
      },
    },
    claims: { ...PERSON, iss: 'https://www.linkedin.com/oauth', sub: '782bbtaQ', locale: 'en-US' },
  },
  netid: {
    authorize: 'https://broker.netid.de/authorize',
    idToken: { iss: 'https://broker.netid.de/', sub: 'TwG9b2' },
    replies: {
      ...discovery('https://broker.netid.de/', 'https://broker.netid.de'),
      'https://broker.netid.de/userinfo': { ...PERSON, sub: 'TwG9b2', birthdate: '1906-12-09' },
    },
    claims: { ...PERSON, iss: 'https://broker.netid.de/', sub: 'TwG9b2', birthdate: '1906-12-09' },
  },
  salesforce: {
    config: { issuer_url: 'https://acme.my.salesforce.com' },
    authorize: 'https://acme.my.salesforce.com/authorize',
    idToken: { iss: 'https://acme.my.salesforce.com', sub: 'https://acme.my.salesforce.com/id/00D/005' },
    replies: {
      ...discovery('https://acme.my.salesforce.com', 'https://acme.my.salesforce.com'),
      'https://acme.my.salesforce.com/userinfo': {
        ...PERSON,
        sub: 'https://acme.my.salesforce.com/id/00D/005',
        email_verified: false,
        updated_at: '2031-04-02T09:00:00Z',
      },
    },
    claims: {
      ...NAMES,
      picture: PICTURE,
      email: MAIL,
      iss: 'https://acme.my.salesforce.com',
      sub: 'https://acme.my.salesforce.com/id/00D/005',
      updated_at: 1_932_886_800,
    },
  },
  slack: {
    authorize: 'https://slack.com/authorize',
    asks: { scope: 'email profile openid', code_challenge: undefined },
    idToken: { iss: 'https://slack.com', ...PERSON, 'https://slack.com/team_id': 'T01' },
    replies: discovery('https://slack.com', 'https://slack.com'),
    claims: { iss: 'https://slack.com', ...PERSON, team: 'T01' },
  },
})

function discovery(issuer: string, home: string): Record<string, Reply> {
  return {
    [new URL('.well-known/openid-configuration', `${issuer}/`.replace(/\/+$/, '/')).href]: {
      issuer,
      authorization_endpoint: new URL('authorize', issuer).href,
      token_endpoint: `${home}/token`,
      userinfo_endpoint: `${home}/userinfo`,
      jwks_uri: `${home}/jwks`,
    },
    [`${home}/token`]: TOKENS,
    [`${home}/jwks`]: KEYS,
  }
}

function gitHub(home: string, api: string, { scope }: { readonly scope: string }): Documented {
  const token = `${home}/login/oauth/access_token`
  return {
    authorize: `${home}/login/oauth/authorize`,
    replies: {
      [token]: { ...OAUTH, scope },
      [`${api}/user`]: {
        id: 4_294_967_297,
        login: 'grace',
        name: 'Grace Hopper',
        avatar_url: PICTURE,
        html_url: `${home}/grace`,
        blog: 'https://grace.test',
        email: 'public@example.com',
        updated_at: '2031-04-02T09:00:00Z',
      },
      [`${api}/user/emails`]: [
        { email: 'other@example.com', primary: false, verified: true },
        { email: MAIL, primary: true, verified: true },
      ],
    },
    claims: {
      iss: token,
      sub: '4294967297',
      name: 'Grace Hopper',
      nickname: 'grace',
      website: 'https://grace.test',
      picture: PICTURE,
      profile: `${home}/grace`,
      updated_at: 1_932_886_800,
      email: MAIL,
      email_verified: true,
    },
  }
}
