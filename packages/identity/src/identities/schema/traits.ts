import { canonicalSpelling, normaliseIdentifier } from '../../input/identifier.ts'
import { phoneNumber } from '../../input/phone-number.ts'
import type { Json, JsonObject, Via } from '../../wire/identity.ts'
import type { IdentitySchema } from './schema.ts'
import type { Marks } from './schema-walk.ts'
import { textsAt, traitAt, withoutTexts } from './trait-at.ts'

type MarkedSchema = Pick<IdentitySchema, 'markedTraits'>

export type IdentifierType = 'password' | 'code' | 'webauthn'

export interface TraitAddress {
  readonly value: string
  readonly via: Via
}

export interface Derived {
  readonly identifiers: Readonly<Record<IdentifierType, readonly string[]>>
  readonly verifiable: readonly TraitAddress[]
  readonly recovery: readonly TraitAddress[]
}

/** The traits themselves stay as submitted. */
export function deriveFromTraits(schema: MarkedSchema, traits: JsonObject): Derived {
  const texts = markedTexts(schema, traits)
  const identifiers = (type: IdentifierType) => {
    const identifierTraits = texts.filter(({ marks }) => marks.credentials[type]?.identifier === true)
    return [...new Set(identifierTraits.map(({ text }) => normaliseIdentifier(type, text)))]
  }
  const addresses = (purpose: 'verification' | 'recovery') =>
    uniqueAddresses(texts.flatMap(({ text, marks }) => addressOf(text, marks[purpose])))
  return {
    identifiers: {
      password: identifiers('password'),
      code: identifiers('code'),
      webauthn: identifiers('webauthn'),
    },
    verifiable: addresses('verification'),
    recovery: addresses('recovery'),
  }
}

function markedTexts({ markedTraits }: MarkedSchema, traits: JsonObject) {
  return markedTraits.flatMap(({ steps, marks }) =>
    textsAt({ traits }, steps).map((text) => ({ text, marks })),
  )
}

export function spellingInTraits(schema: MarkedSchema, traits: JsonObject, identifier: string) {
  const invalidText = markedTexts(schema, traits).find(
    ({ text, marks }) =>
      marks.credentials.password?.identifier === true && normaliseIdentifier('password', text) === identifier,
  )
  return invalidText?.text
}

export function registeredTargets(schema: MarkedSchema, traits: JsonObject): string[] {
  const { identifiers, verifiable } = deriveFromTraits(schema, traits)
  return [...Object.values(identifiers).flat(), ...verifiable.map(({ value }) => value)]
}

export function withoutAddress(schema: MarkedSchema, traits: JsonObject, value: string): JsonObject {
  return schema.markedTraits.reduce((remainingTraits, { steps, marks }) => {
    const isGone = (text: string) =>
      [marks.verification, marks.recovery].some((mark) =>
        addressOf(text, mark).some((one) => one.value === value),
      )
    return withoutTexts(remainingTraits, steps, isGone)
  }, traits)
}

export function traitValues(schema: Pick<IdentitySchema, 'leaves'>, traits: JsonObject) {
  const values = schema.leaves.flatMap(({ path, steps }) => {
    const value = traitAt(traits, steps)
    return value === undefined ? [] : [[path, value] as const]
  })
  return Object.fromEntries(values)
}

/** By path. Only text, numbers and booleans have a field. */
export function unknownTraits({ leaves }: Pick<IdentitySchema, 'leaves'>, traits: JsonObject) {
  const isKnown = (path: string) => leaves.some((leaf) => `${leaf.path}.`.startsWith(`${path}.`))
  const named = Object.entries(traits).map(([name, value]) => [`traits.${name}`, value] as const)
  const isShown = (value: Json) => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(named.filter(([path, value]) => isShown(value) && !isKnown(path)))
}

export function totpAccountName(schema: MarkedSchema, traits: JsonObject): string | undefined {
  return schema.markedTraits
    .filter(({ marks }) => marks.credentials.totp?.account_name === true)
    .flatMap(({ steps }) => textsAt({ traits }, steps))[0]
}

function addressOf(text: string, mark: Marks['verification']): TraitAddress[] {
  if (!mark) return []
  // All spellings of a phone number give one address.
  const value = mark.via === 'email' ? canonicalSpelling(text) : (phoneNumber(text) ?? text.trim())
  return [{ via: mark.via, value }]
}

function uniqueAddresses(addresses: readonly TraitAddress[]): TraitAddress[] {
  return [...new Map(addresses.map((address) => [`${address.via} ${address.value}`, address])).values()]
}
