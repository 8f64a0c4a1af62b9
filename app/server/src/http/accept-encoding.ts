export type Encoding = 'br' | 'gzip' | 'identity'

/** RFC 9110 §12.5.3: the smallest of what we have that the client does not refuse. */
export function pickEncoding(header: string | null): Encoding {
  const weights = parseWeights(header ?? '')
  const accepts = (encoding: string) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  if (accepts('br')) return 'br'
  return accepts('gzip') || accepts('x-gzip') ? 'gzip' : 'identity'
}

function parseWeights(header: string): Map<string, number> {
  const entries = header.split(',').map((entry): [string, number] => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
  })
  return new Map(entries.filter(([name]) => name !== ''))
}
