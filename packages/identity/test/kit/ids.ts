/** A UUID that sorts like the name, of at most 16 bytes. */
export function idOf(name: string): string {
  const hex = Buffer.from(name).toString('hex').padEnd(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

export function nameOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString().replace(/\0+$/, '')
}
