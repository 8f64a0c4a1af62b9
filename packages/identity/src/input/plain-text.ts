/** Or the text itself if it is not valid JSON. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** As in Go's `strconv.ParseBool`. */
const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True']
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False']

export function parseBool(text: string): boolean | undefined {
  if (TRUE.includes(text)) return true
  return FALSE.includes(text) ? false : undefined
}

/** Accepts every spelling that Kratos' `gofrs/uuid` accepts. Undefined if not a UUID (RFC 9562). */
export function canonicalUuid(text: string): string | undefined {
  const id = text.replace(/^(?:urn:uuid:(.*)|\{(.*)\})$/, '$1$2').toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id)
  return parts?.slice(1).join('-')
}

/**
 * Reads the body of a response of at most `limit` bytes. Throws `RangeError` above, and cancels the download.
 *
 * @example const text = (await readCapped(response.body, 2 ** 20)).toString()
 */
export async function readCapped(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > limit) throw new RangeError(`it is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
