import type { SchemaObject } from 'ajv'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { ConfigError } from '../config/config-error.ts'
import type { FieldMessage } from '../errors.ts'
import type { FormSchema } from '../ui/trait-nodes.ts'
import { isEmail, isPhone } from './formats.ts'
import { fieldMessages } from './schema-errors.ts'
import type { Leaf, MarkedTrait, WalkedTraits } from './schema-walk.ts'
import { walkTraits } from './schema-walk.ts'

/** What the traits of a person may be, and what they are for. */
export interface IdentitySchema extends FormSchema {
  readonly id: string
  /** As the file has it. */
  readonly raw: unknown
  /** Traits that hold no others, in the order of the file. */
  readonly leaves: readonly Leaf[]
  readonly marked: readonly MarkedTrait[]
  readonly objects: WalkedTraits['objects']
  /** Everything that must be mended, at the fields concerned; empty when all is well. */
  validate(traits: unknown): FieldMessage[]
}

export interface IdentitySchemas {
  readonly all: readonly IdentitySchema[]
  readonly default: IdentitySchema
  find(id: string): IdentitySchema | undefined
  /** By the last part of its address: the id itself or its base64url form. */
  findInUrl(segment: string): IdentitySchema | undefined
}

/** The schema that a flow was opened for. */
export function flowSchema(
  schemas: IdentitySchemas,
  { identity_schema }: { readonly identity_schema?: string },
): IdentitySchema {
  return (identity_schema && schemas.find(identity_schema)) || schemas.default
}

/** Throws `ConfigError` that names what is wrong in which schema. */
export function compileSchemas(
  list: readonly { readonly id: string; readonly schema?: unknown }[],
  defaultId: string,
): IdentitySchemas {
  const all = list.map(({ id, schema }) => compileSchema(id, schema))
  const find = (id: string) => all.find((schema) => schema.id === id)
  const standard = find(defaultId)
  if (!standard) throw configError('identity.default_schema_id', `there is no schema "${defaultId}"`)
  return {
    all,
    default: standard,
    find,
    findInUrl: (segment) => find(segment) ?? all.find(({ id }) => urlForm(id) === segment),
  }
}

/**
 * Makes a draft-07 schema with the keyword `ory.sh/kratos` ready for use. Throws `ConfigError` that names the trait
 * when it is not one.
 */
export function compileSchema(id: string, raw: unknown): IdentitySchema {
  try {
    const document = structuredClone(raw)
    const { leaves, marked, objects, implied } = walkTraits(document)
    for (const { definition, format } of implied) definition.format ??= format
    const isValid = compile(document as SchemaObject)
    const validate = (traits: unknown) => (isValid({ traits }) ? [] : fieldMessages(isValid.errors ?? []))
    return { id, raw, leaves, marked, objects, validate }
  } catch (error) {
    throw configError(
      'identity.schemas',
      `schema "${id}": ${error instanceof Error ? error.message : 'unusable'}`,
    )
  }
}

/** `base` is the public address of the service. */
export function schemaUrl(base: string, id: string): string {
  return `${base.replace(/\/$/, '')}/schemas/${urlForm(id)}`
}

function urlForm(id: string): string {
  return Buffer.from(id).toString('base64url')
}

function configError(path: string, message: string): ConfigError {
  return new ConfigError([{ path, message }])
}

let shared: Ajv | undefined

/** One validator for all schemas, because it takes a while to make. */
function compile(document: SchemaObject) {
  shared ??= newValidator()
  return shared.compile(document)
}

function newValidator(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: false,
    logger: false,
    // Two files may bear the same `$id`.
    addUsedSchema: false,
    // Else a required trait `constructor` would be found in every object.
    ownProperties: true,
  })
  formats.default(ajv)
  ajv.addFormat('email', { type: 'string', validate: isEmail })
  ajv.addFormat('tel', { type: 'string', validate: isPhone })
  return ajv
}
