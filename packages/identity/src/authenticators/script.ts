import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const SCRIPT_PATH = '/.well-known/ory/webauthn.js'

export const script = readFileSync(new URL('./webauthn.js', import.meta.url), 'utf8')

export const integrity = `sha512-${createHash('sha512').update(script).digest('base64')}`
