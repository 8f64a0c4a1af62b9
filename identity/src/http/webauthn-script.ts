import { script } from '../authenticators/script.ts'
import type { Http } from './request.ts'

/** The script of the form's script nodes. */
export async function webauthnScript(c: Http): Promise<Response> {
  c.header('Content-Type', 'text/javascript; charset=UTF-8')
  return c.body(script)
}
