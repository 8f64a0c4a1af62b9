/** An id as it is stored; clients also write capitals, or no hyphens. Undefined for what is no UUID (RFC 9562). */
export function canonicalUuid(text: string): string | undefined {
  const id = text.toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id)
  return parts?.slice(1).join('-')
}
