/** Whether a stored password of this form can be compared with what somebody types. Protocol 3, 8. */
export function isImportableHash(hash: string): boolean {
  return FORMATS.some((format) => format.test(hash))
}

const FORMATS = [/^\$argon2id?\$/]
