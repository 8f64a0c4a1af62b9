import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import { z } from './schema.ts'

/** Lets a schema check a form without nested fields: the first issue of each field is its error. */
export function schemaResolver<Values extends FieldValues>(
  schema: z.ZodMiniType<Values>,
): Resolver<Values, unknown, Values> {
  return (values) => {
    const parsed = z.safeParse(schema, values)
    if (parsed.success) return { values: parsed.data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { code, path, message } of parsed.error.issues)
      errors[path.join('.')] ??= { type: code, message }
    return { values: {}, errors: errors as FieldErrors<Values> }
  }
}
