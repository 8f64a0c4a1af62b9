/** The member names of a JSON Pointer (RFC 6901), also of one in a URI fragment (`#/a/b`) before percent-decoding. */
export function pointerSteps(pointer: string): string[] {
  const steps = pointer.replace(/^#/, '').split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
