/** Escaped markup. Only `html` creates it, so unescaped parts of an email can come from this folder only. */
export interface Html {
  readonly markup: string
}

type Value = string | number | Html | readonly Html[]

/** Builds markup. Escapes values for text and quoted attributes; keeps markup as it is. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const filled = parts.map((part, index) => (index === 0 ? part : inserted(values[index - 1] ?? '') + part))
  return { markup: filled.join('') }
}

function inserted(value: Value): string {
  if (typeof value === 'object') return [value].flat().reduce((all, { markup }) => all + markup, '')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
