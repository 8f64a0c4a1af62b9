import { isIP } from 'node:net'
import { z } from 'zod'
import { withoutEndingSlashes } from './ending-slashes.ts'

// The formats of environment variables.

export function port() {
  return z.coerce
    .number({ error: 'must be a number from 1 to 65535' })
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be a number from 1 to 65535' })
    .max(65_535, { error: 'must be a number from 1 to 65535' })
}

export function count() {
  return z.coerce.number({ error: 'must be a number' }).int().min(1, { error: 'must be at least 1' })
}

export function milliseconds() {
  return z.coerce
    .number({ error: 'must be a number of milliseconds' })
    .int()
    .min(0, { error: 'must not be negative' })
    .max(600_000, { error: 'must be at most 600000, which is ten minutes' })
}

/** Undefined for `off`. */
export function period() {
  return z
    .string()
    .regex(/^([1-9]\d{0,4}[mh]|off)$/, { error: 'must be a time such as 30m or 8h, or off' })
    .transform((value) => (value === 'off' ? undefined : value))
}

export function onOff() {
  return z.enum(['on', 'off'], { error: 'must be on or off' })
}

export function host() {
  return z
    .string()
    .refine((value) => isIP(value) > 0 || value === 'localhost', { error: 'must be an IP address' })
}

export function httpUrl() {
  return z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .transform(withoutEndingSlashes)
}

export function origin() {
  return httpUrl().refine((value) => new URL(value).origin === value, {
    error: 'must be an origin such as https://app.example, without a path',
  })
}
