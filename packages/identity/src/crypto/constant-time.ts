import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time. Only the length may be learnt, which is no secret. */
export function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
