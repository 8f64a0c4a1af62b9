import type { Trait } from '@ostiary/react/internal'
import { product } from '../../product.ts'

/** The required traits of the configuration, so that the prerendered form has the height of the final one. */
export function expectedTraits(): Trait[] {
  const { traits, requiredTraits } = product()
  return Object.entries(traits).flatMap(([key, { title = key, enum: values, ...schema }]) => {
    const type = typeOf(schema)
    if (key === 'email' || type === undefined || !requiredTraits.includes(key)) return []
    const options = values?.map((value) => ({ value }))
    return [
      {
        name: `traits.${key}`,
        label: title,
        value: undefined,
        required: true,
        type,
        ...(options && { options }),
      },
    ]
  })
}

/** Undefined if the form has several fields for it. */
function typeOf({ type = 'string', format = '' }: { readonly type?: string; readonly format?: string }) {
  if (type === 'boolean') return 'checkbox'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'string' ? (BY_FORMAT[format] ?? 'text') : undefined
}

const BY_FORMAT: Readonly<Record<string, Trait['type']>> = {
  email: 'email',
  tel: 'tel',
  date: 'date',
  'date-time': 'datetime-local',
  uri: 'url',
}
