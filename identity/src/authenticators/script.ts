import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Where the script is served. */
export const SCRIPT_PATH = '/.well-known/ory/webauthn.js'

/** What user interfaces run that bring no WebAuthn code of their own. */
export const script = readFileSync(new URL('./webauthn.js', import.meta.url), 'utf8')

/** Of the exact bytes that are served, for the nodes that name the script. */
export const integrity = `sha512-${createHash('sha512').update(script).digest('base64')}`
