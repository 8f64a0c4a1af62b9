import { createHmac } from 'node:crypto'
import { isEqual } from '../../../crypto/secrets.ts'
import { ProtocolError } from '../../../errors/errors.ts'
import type { Claims } from '../claims.ts'
import { openid } from './openid.ts'
import type { ProviderKind } from './provider.ts'

/** Ory Kratos' test provider: anyone can sign in as any user, so it needs `dev`. */
const KEY = 'xxxxxxx'
const ISSUER = 'https://example.com/fedcm'

/** Redirects like `generic`. */
export const fedcmTest: ProviderKind = {
  ...openid.generic,
  tokenIssuer: () => ISSUER,
  takesTokens: true,
  readToken(_ctx, token) {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const expected = createHmac('sha256', KEY).update(`${header}.${payload}`).digest()
    const givenSignature = Buffer.from(signature, 'base64url')
    if (!isEqual(givenSignature, expected)) {
      throw new ProtocolError({ status: 403, reason: 'The ID token is not from this provider.' })
    }
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
    return { iss: ISSUER, ...claims }
  },
}
