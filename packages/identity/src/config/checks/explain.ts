import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { ConfigIssue } from './config-error.ts'
import { pathOf } from './config-error.ts'
import { notSupportedPaths } from './ignored-keys.ts'

/** Quotes no values, which may be secrets. */
export function explain(error: z.ZodError, schema: z.ZodType): ConfigIssue[] {
  return error.issues.flatMap((issue) => {
    const path = pathOf(issue.path)
    if (path === '' && issue.code === 'invalid_type')
      return { path, message: 'expected an object with settings' }
    if (issue.code !== 'unrecognized_keys') return [{ path, message: describe(issue) }]
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      message: `unknown key${suggestion(key, path, schema)}`,
    }))
  })
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return `is missing. Expected ${withArticle(issue.expected)}`
  if (issue.code === 'invalid_type') return `expected ${withArticle(issue.expected)}`
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}${unitOf(issue.origin)}`
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}${unitOf(issue.origin)}`
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => String(value)).join(', or ')}`
  return issue.message
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' in the list'
  return origin === 'string' ? ' characters' : ''
}

function withArticle(type: string): string {
  if (type === 'int') return 'a whole number'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The most similar sibling key, or the path where the key belongs. */
function suggestion(key: string, above: string, schema: z.ZodType): string {
  const known = [...pathsOf(schema, ''), ...notSupportedPaths]
  const siblings = known.filter((path) => isAt(parentOf(path), above) && lastOf(path) !== '*')
  const near = nearest(key, siblings)
  if (near !== undefined) return `. Did you mean ${above === '' ? '' : `${above}.`}${lastOf(near)}?`
  const elsewhere = known
    .filter((path) => lastOf(path) === key)
    .sort((one, other) => one.length - other.length)[0]
  if (elsewhere !== undefined) return `. Did you mean ${elsewhere}?`
  return siblings.length === 0 ? '' : `. Known keys: ${siblings.map(lastOf).join(', ')}`
}

function nearest(key: string, paths: readonly string[]): string | undefined {
  const [best] = paths
    .map((path) => ({ path, distance: distance(key.toLowerCase(), lastOf(path)) }))
    .sort((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(2, key.length / 3) ? best.path : undefined
}

/** `*` is any name or index. */
function isAt(known: string, path: string): boolean {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const names = known.split('.')
  return names.length === steps.length && names.every((name, index) => name === '*' || name === steps[index])
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))

/** `*` stands for a list index or a free name. */
function pathsOf(schema: unknown, above: string): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, member]) => {
      const path = above === '' ? name : `${above}.${name}`
      return [path, ...pathsOf(member, path)]
    })
  }
  if (schema instanceof z.ZodArray) return pathsOf(schema.element, `${above}.*`)
  if (schema instanceof z.ZodRecord) return pathsOf(schema.valueType, `${above}.*`)
  if (schema instanceof z.ZodPipe) return pathsOf(schema.in, above)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return pathsOf(schema.unwrap(), above)
  }
  return []
}
