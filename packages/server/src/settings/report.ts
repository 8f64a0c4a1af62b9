import { z } from 'zod'
import type { Product } from '../product/product.ts'
import { variablesOf } from './env.ts'
import { providerVariables } from './providers.ts'

/** A setting's description in Markdown, with links for the folder `docs`. */
export interface SettingHelp {
  readonly name: string
  readonly description: string
  readonly fallback: string
  /** Described in docs/providers.md. */
  readonly isOfProvider: boolean
}

export function listSettings(product: Product): SettingHelp[] {
  return Object.entries(variablesOf(product)).map(([name, schema]) => {
    const [description = '', computed = ''] = (schema.description ?? '').split('. Default: ')
    const value = defaultOf(schema) ?? product.settings?.[name]?.fallback
    const fallback = value === undefined ? computed : `\`${textOf(value)}\``
    return { name, description, fallback, isOfProvider: name in providerVariables.shape }
  })
}

function defaultOf(schema: z.ZodType): unknown {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? schema.def.defaultValue
    : undefined
}

function textOf(value: unknown): string {
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
}

export function describeSettings(product: Product): string {
  const settings = listSettings(product)
  const width = Math.max(...settings.map(({ name }) => name.length))
  return settings
    .map(({ name, description, fallback }) => {
      const text = description.replaceAll(/ \(\[[^()]+\]\([^)]+\)\)|\[([^()]+)\]\([^)]+\)/g, '$1')
      return `  ${name.padEnd(width)} ${text}${fallback && `. Default: ${fallback}`}`
    })
    .join('\n')
}
