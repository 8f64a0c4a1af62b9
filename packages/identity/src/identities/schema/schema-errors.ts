import type { ErrorObject } from 'ajv'
import type { FieldMessage } from '../../errors/errors.ts'
import { LONGEST_IDENTIFIER } from '../../input/identifier.ts'
import { countCodePoints, stacksMarks, TOO_MANY_MARKS } from '../../input/normalise.ts'
import { messages } from '../../ui/messages.ts'
import type { Json } from '../../wire/identity.ts'
import type { UiText } from '../../wire/text.ts'
import type { MarkedTrait } from './schema-walk.ts'
import { pointerSteps, textsAt } from './trait-at.ts'

/** `data` is the value that the error refers to. */
type Finding = ErrorObject<string, Readonly<Record<string, unknown>>>

/** The errors of the nested schema are listed as well. */
const WRAPPERS = new Set(['anyOf', 'allOf', 'if', 'propertyNames', '$ref'])

export function fieldMessages(errors: readonly ErrorObject[]): FieldMessage[] {
  const findings = withoutConsequences(errors.slice(0, MOST_FINDINGS) as readonly Finding[])
  // Kratos compatibility: for an empty address the format comes before the length.
  const ordered = findings.toSorted((a, b) => Number(b.keyword === 'format') - Number(a.keyword === 'format'))
  return withoutDoubles(ordered.map(toFieldMessage))
}

const MOST_FINDINGS = 200

/** Rejects texts that are slow to compare or display, whatever the schema (SEC-63). */
export function textMessages(markedTraits: readonly MarkedTrait[], traits: Json): FieldMessage[] {
  const long = markedTraits.flatMap(({ steps }) =>
    textsAt({ traits }, steps)
      .filter((text) => text.length > LONGEST_IDENTIFIER)
      .map((text) => ({ message: messages.tooLong(LONGEST_IDENTIFIER, text.length), field: fieldOf(steps) })),
  )
  return withoutDoubles([...long, ...stackedMarks(traits, ['traits'])])
}

function stackedMarks(value: Json, steps: readonly string[]): FieldMessage[] {
  if (typeof value === 'string')
    return stacksMarks(value) ? [{ message: messages.generic(TOO_MANY_MARKS), field: fieldOf(steps) }] : []
  if (typeof value !== 'object' || value === null) return []
  const name = (step: string) => (Array.isArray(value) ? '*' : step)
  return Object.entries(value).flatMap(([step, inner]) => stackedMarks(inner, [...steps, name(step)]))
}

function fieldOf(steps: readonly string[]): string {
  return steps.filter((step) => step !== '*').join('.')
}

/** A wrong type also fails `const`, and alternatives also fail as a whole. */
function withoutConsequences(findings: readonly Finding[]): Finding[] {
  const mistyped = new Map<string, Set<unknown>>()
  for (const { keyword, instancePath, parentSchema } of findings) {
    if (keyword === 'type')
      mistyped.set(instancePath, (mistyped.get(instancePath) ?? new Set()).add(parentSchema))
  }
  return findings.filter(({ keyword, instancePath, parentSchema, params }) => {
    if (keyword !== 'type' && mistyped.get(instancePath)?.has(parentSchema)) return false
    return !WRAPPERS.has(keyword) && !(keyword === 'oneOf' && params.passingSchemas === null)
  })
}

function toFieldMessage(finding: Finding): FieldMessage {
  const missing = finding.keyword === 'required' ? [String(finding.params.missingProperty)] : []
  const steps = [...pointerSteps(finding.instancePath), ...missing]
  const message = textOf(finding, steps.at(-1) ?? '')
  return steps.length === 0 ? { message } : { message, field: steps.join('.') }
}

function textOf(finding: Finding, name: string): UiText {
  const { keyword, schema } = finding
  const reason = REASONS.get(keyword === 'format' ? String(schema) : keyword)
  return (
    BY_KEYWORD.get(keyword)?.(finding, name) ?? messages.generic(reason ?? 'This value has the wrong format.')
  )
}

const TEXTS: Readonly<Record<string, (finding: Finding, name: string) => UiText | undefined>> = {
  required: (_, name) => messages.required(name),
  type: ({ schema, data }) => messages.wrongType([schema].flat().map(String), typeName(data)),
  minLength: ({ schema, data }) => messages.tooShort(Number(schema), lengthOf(data)),
  maxLength: ({ schema, data }) => messages.tooLong(Number(schema), lengthOf(data)),
  pattern: ({ schema }) => messages.patternMismatch(String(schema)),
  minimum: ({ schema, data }) => messages.tooLow(Number(schema), Number(data)),
  exclusiveMinimum: ({ schema, data }) => messages.notAbove(Number(schema), Number(data)),
  maximum: ({ schema, data }) => messages.tooHigh(Number(schema), Number(data)),
  exclusiveMaximum: ({ schema, data }) => messages.notBelow(Number(schema), Number(data)),
  multipleOf: ({ schema, data }) => messages.notMultiple(Number(schema), Number(data)),
  maxItems: ({ schema, data }) => messages.tooManyItems(Number(schema), countOf(data)),
  minItems: ({ schema, data }) => messages.tooFewItems(Number(schema), countOf(data)),
  uniqueItems: ({ params }) => {
    const [a, b] = [Number(params.i), Number(params.j)]
    return messages.equalItems(Math.min(a, b), Math.max(a, b))
  },
  const: ({ schema }) =>
    typeof schema === 'object' && schema !== null
      ? messages.notConstantValue
      : messages.notConstant(JSON.stringify(schema)),
  format: ({ schema, data }) => {
    // Kratos compatibility: no message about an empty address's format.
    if (data === '') return undefined
    if (schema === 'tel') return messages.invalidPhone(String(data))
    return schema === 'email' ? messages.invalidEmail(String(data)) : undefined
  },
}

const BY_KEYWORD = new Map(Object.entries(TEXTS))

const REASONS = new Map([
  ['additionalProperties', 'This form has no such field.'],
  ['enum', 'Please choose one of the offered values.'],
  ['date', 'Please enter a date, such as 2031-04-02.'],
  ['date-time', 'Please enter a date and a time, such as 2031-04-02T10:15:00Z.'],
  ['uri', 'Please enter a URL that begins with https://.'],
  ['email', 'Please enter an email address.'],
])

/** As JSON Schema names it. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** JSON Schema counts code points, not UTF-16 units. */
function lengthOf(value: unknown): number {
  return countCodePoints(String(value))
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

function withoutDoubles(entries: readonly FieldMessage[]): FieldMessage[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}
