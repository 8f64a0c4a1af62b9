import type { Context } from '../contract/contract.ts'

/** The logout token: a MAC of the session's id, so it need not be stored. */
export function logoutToken(ctx: Pick<Context, 'secrets'>, sessionId: string): string {
  const mac = Buffer.from(ctx.secrets.mac('logout', sessionId), 'base64url').toString('hex')
  return `ory_lo_${mac.slice(0, 64)}`
}

/** Whether a logout token belongs to this session. */
export function ownsLogoutToken(ctx: Pick<Context, 'secrets'>, sessionId: string, token: string): boolean {
  const hex = /^ory_lo_([0-9a-f]{64})$/.exec(token)?.[1]
  if (hex === undefined) return false
  return ctx.secrets.verifyMac('logout', sessionId, Buffer.from(hex, 'hex').toString('base64url'))
}
