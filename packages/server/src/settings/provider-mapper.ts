import type { ProductConfig } from '../product/product.ts'

type Claims = Readonly<Record<string, unknown>>
type Traits = ProductConfig['traits']

/**
 * Maps the claims of every provider. A new user finds the name filled in. Trusts an address only if the provider says
 * that it is verified (SEC-26).
 */
export function providerMapper(traits: Traits) {
  return ({ claims }: { readonly claims: Claims }) => {
    const { email, email_verified } = claims
    const named = namesIn(claims, traits)
    if (typeof email !== 'string') return { identity: { traits: named } }
    const verified_addresses = email_verified === true ? [{ via: 'email', value: email }] : []
    return { identity: { traits: { ...named, email }, verified_addresses } }
  }
}

/** Standard claims (OpenID Connect Core 1.0, 5.1), by the usual names of traits. */
const NAME_CLAIMS: Readonly<Record<string, string>> = {
  name: 'name',
  full_name: 'name',
  first: 'given_name',
  first_name: 'given_name',
  given_name: 'given_name',
  last: 'family_name',
  last_name: 'family_name',
  family_name: 'family_name',
  nickname: 'nickname',
}

function namesIn(claims: Claims, traits: Traits): Claims {
  const mappings = Object.entries(traits).map(([trait, { type, properties = {}, maxLength }]) => {
    if (type === 'object') {
      const parts = namesIn(claims, properties as Traits)
      return [trait, Object.keys(parts).length > 0 ? parts : undefined] as const
    }
    const claim = claims[NAME_CLAIMS[trait.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()] ?? '']
    const text = type === 'string' && typeof claim === 'string' ? claim.replaceAll(/\p{Cc}/gu, '') : ''
    // By character, as JSON Schema counts.
    const most = maxLength as number | undefined
    return [trait, text === '' ? undefined : Array.from(text).slice(0, most).join('')] as const
  })
  return Object.fromEntries(mappings.filter(([, value]) => value !== undefined))
}
