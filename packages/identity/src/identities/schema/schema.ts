import { Ajv, type ErrorObject, type SchemaObject } from 'ajv'
import formats from 'ajv-formats'
import { RE2JS } from 're2js'
import { urlAt } from '../../config/base-url.ts'
import { ConfigError } from '../../config/checks/config-error.ts'
import { type FieldMessage, messageOf } from '../../errors/errors.ts'
import { isPhone } from '../../input/phone-number.ts'
import type { FormSchema } from '../../ui/trait-nodes.ts'
import type { Json } from '../../wire/identity.ts'
import { isEmail, STANDARD_FORMATS } from './formats.ts'
import { fieldMessages, textMessages } from './schema-errors.ts'
import { type Leaf, type MarkedTrait, walkTraits } from './schema-walk.ts'

export interface IdentitySchema extends FormSchema {
  readonly id: string
  readonly raw: unknown
  /** Traits without members, in the order of the file. */
  readonly leaves: readonly Leaf[]
  readonly markedTraits: readonly MarkedTrait[]
  readonly objects: readonly (readonly string[])[]
  validate(traits: unknown): FieldMessage[]
}

export interface IdentitySchemas {
  readonly all: readonly IdentitySchema[]
  readonly default: IdentitySchema
  find(id: string): IdentitySchema | undefined
  /** By the id or its base64url form. */
  findInUrl(segment: string): IdentitySchema | undefined
}

export function flowSchema(
  schemas: IdentitySchemas,
  { identity_schema }: { readonly identity_schema?: string },
): IdentitySchema {
  return (identity_schema && schemas.find(identity_schema)) || schemas.default
}

/** Falls back to the default: the configuration may no longer list the identity's schema. */
export function schemaOfIdentity(schemas: IdentitySchemas, { schema_id }: { readonly schema_id: string }) {
  return schemas.find(schema_id) ?? schemas.default
}

/** Throws `ConfigError` with the schema and the problem. */
export function compileSchemas(
  list: readonly { readonly id: string; readonly schema?: unknown }[],
  defaultId: string,
): IdentitySchemas {
  const all = list.map(({ id, schema }) => compileSchema(id, schema))
  const find = (id: string) => all.find((schema) => schema.id === id)
  const standard = find(defaultId)
  if (!standard) throw configError('identity.default_schema_id', `unknown schema "${defaultId}"`)
  return {
    all,
    default: standard,
    find,
    findInUrl: (segment) => find(segment) ?? all.find(({ id }) => urlForm(id) === segment),
  }
}

/** By id and text: a new configuration compiles only changed schemas. */
const compiled = new Map<string, IdentitySchema>()

/** Supports draft-07 and the keyword `ory.sh/kratos`. Throws `ConfigError` with the trait. */
export function compileSchema(id: string, raw: unknown): IdentitySchema {
  try {
    const text = JSON.stringify([id, raw])
    const schema = compiled.get(text) ?? compileNew(id, raw)
    compiled.set(text, schema)
    return schema
  } catch (error) {
    throw configError('identity.schemas', `schema "${id}": ${messageOf(error)}`)
  }
}

function compileNew(id: string, raw: unknown): IdentitySchema {
  const document = structuredClone(raw)
  const { leaves, markedTraits, objects, implied } = walkTraits(document)
  for (const { definition, format } of implied) definition.format ??= format
  const isValid = compile(document as SchemaObject)
  const validate = (traits: unknown) =>
    isValid({ traits }) ? textMessages(markedTraits, traits as Json) : fieldMessages(isValid.errors ?? [])
  return { id, raw, leaves, markedTraits, objects, validate }
}

export function schemaUrl(base: string, id: string): string {
  return urlAt(base, `/schemas/${urlForm(id)}`)
}

function urlForm(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function configError(path: string, message: string): ConfigError {
  return new ConfigError([{ path, message }])
}

let shared: Ajv | undefined

function compile(document: SchemaObject) {
  shared ??= newValidator()
  if (!shared.validateSchema(document)) throw new Error(describeFirst(shared.errors ?? []))
  return shared.compile(document)
}

/** Only the first error, from which the others follow: an unknown type is not a list of types either. */
function describeFirst([first]: readonly ErrorObject[]): string {
  const place = first?.instancePath.slice(1).replaceAll('/', '.')
  const { allowedValues } = (first?.params ?? {}) as { readonly allowedValues?: readonly string[] }
  return `${place} ${allowedValues ? `must be one of ${allowedValues.join(', ')}` : first?.message}`
}

function newValidator(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
    validateSchema: false,
    // Two files may have the same `$id`.
    addUsedSchema: false,
    // Otherwise every object would have a trait `constructor`.
    ownProperties: true,
    // Takes as long as compiling, and validates no faster.
    code: { optimize: false, regExp },
  })
  formats.default(ajv, [...STANDARD_FORMATS])
  ajv.addFormat('email', { type: 'string', validate: isEmail })
  ajv.addFormat('tel', { type: 'string', validate: isPhone })
  return ajv
}

/** Like those of Kratos, patterns take linear time and know no look-around (SEC-39). */
function regExp(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern))
}
regExp.code = 'regExp'
