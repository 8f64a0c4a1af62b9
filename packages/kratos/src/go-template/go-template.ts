import { evaluate } from './evaluate.ts'
import { markHtmlContexts } from './html-context.ts'
import { parseTemplate } from './parse.ts'

/** Throws `TemplateError`. */
export type GoTemplate = (data: object) => string

/**
 * Go's `text/template` or `html/template` with the functions of `functions.ts`. Not supported:
 * methods, `break`, `continue`, dates, and in HTML values in scripts, styles, comments and unquoted
 * attributes. Throws `TemplateError`.
 */
export function compileGoTemplate(source: string, as: 'text' | 'html'): GoTemplate {
  const parsed = parseTemplate(source)
  if (as === 'html') markHtmlContexts(parsed)
  return (data) => evaluate(parsed, data)
}
