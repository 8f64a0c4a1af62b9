import { z } from 'zod'
import { signWithPem } from '../../../crypto/jwt.ts'
import { jsonOrText } from '../../../input/plain-text.ts'
import type { Claims } from '../claims.ts'
import type { ProviderConfig, ProviderKind } from './provider.ts'

const ISSUER = 'https://appleid.apple.com'
const SECRET_SECONDS = 300

export const apple: ProviderKind = {
  issuer: () => ISSUER,
  ignoresPkce: true,
  // Apple shares a name or an address only by POST, which carries no cookies. `http/public/` redirects it to a GET.
  parameters: ({ scope }): Record<string, string> =>
    scope.some((name) => name === 'name' || name === 'email') ? { response_mode: 'form_post' } : {},
  secret: clientSecret,
  adapt: (claims, _call, { query }) => ({ ...nameFrom(query), ...claims }),
  takesTokens: true,
}

/** A JWT signed with the team's key. */
async function clientSecret(config: ProviderConfig, now: Date): Promise<string> {
  const { client_id, apple_team_id = '', apple_private_key_id = '', apple_private_key = '' } = config
  const iat = Math.floor(now.getTime() / 1000)
  return await signWithPem(apple_private_key, apple_private_key_id, {
    iss: apple_team_id,
    sub: client_id,
    aud: ISSUER,
    iat,
    exp: iat + SECRET_SECONDS,
  })
}

const userField = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
})

/**
 * Sent once, at the first sign-in, and not signed: the browser can change it. So nothing but the name is read.
 */
function nameFrom(answer: URLSearchParams): Claims {
  const user = userField.safeParse(jsonOrText(answer.get('user') ?? ''))
  if (!user.success) return {}
  const { firstName, lastName } = user.data.name
  return { given_name: firstName, family_name: lastName, last_name: lastName }
}
