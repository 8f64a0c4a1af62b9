import { cookieValues } from '@ostiary/identity/serving'
import type { MiddlewareHandler } from 'hono'
import { ProductError } from '../http/errors.ts'
import { describedBy } from '../http/operation.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'
import type { OwnTraits, Role } from '../product/register.ts'
import { rolesOf } from './roles.ts'
import type { VerifyUserJwt } from './user-jwt.ts'

/** The first handlers of a route, so that strangers get no other answer. They answer 401, 403 or 502. */
export interface SessionCheck {
  /**
   * Puts the caller's session into `c.var.session`. Revoked sessions and changed roles count at once. Rejects a
   * session in recovery, whose user must set a new credential first.
   *
   * @param role that the user must have
   */
  require(role?: Role): MiddlewareHandler<WithSession>
  /**
   * Requires a `user_jwt` whose session is valid. With a remote identity service the token may outlive its
   * session, so use it for reading only.
   */
  requireUserJwt(): MiddlewareHandler
  /** Also finds a session in recovery. Throws a `ProductError`. */
  findLiveSession(headers: Headers): Promise<LiveSession>
}

export interface WithSession {
  readonly Variables: { readonly session: LiveSession }
}

const refusals = { errors: [401, 403] }

type AskedIdentity = Pick<IdentityGateway, 'checkSession' | 'isLive' | 'isRecovering'>

export function createSessionCheck(
  identity: AskedIdentity,
  verify: VerifyUserJwt,
  roles: readonly string[],
): SessionCheck {
  const { isLive = async () => true, isRecovering = async () => false } = identity
  const find = async (headers: Headers): Promise<LiveSession> => {
    const { id, identity: owner } = await check(identity, headers)
    // The identity service shares its objects between requests.
    const publicOwner = { id: owner.id, traits: structuredClone(owner.traits) as OwnTraits }
    return {
      id,
      identity: publicOwner,
      roles: rolesOf(owner.metadata_public, roles),
      recovering: await isRecovering(id),
    }
  }
  return {
    findLiveSession: find,
    require: (role) =>
      describedBy<MiddlewareHandler<WithSession>>(refusals, async (c, next) => {
        const session = await find(c.req.raw.headers)
        if (session.recovering) throw credentialRequired()
        if (role !== undefined && !session.roles.includes(role))
          throw new ProductError('forbidden', 403, `Only users with the role ${role} may do this`)
        c.set('session', session)
        await next()
      }),
    requireUserJwt: () =>
      describedBy(refusals, async (c, next) => {
        const token = readUserJwt(c.req.raw.headers)
        const claims = token === undefined ? undefined : await verify(token)
        if (!claims || !(await isLive(claims.sid))) throw unauthorized()
        if (await isRecovering(claims.sid)) throw credentialRequired()
        await next()
      }),
  }
}

async function check({ checkSession }: Pick<IdentityGateway, 'checkSession'>, headers: Headers) {
  const credentials = pickCredentials(headers)
  if (!credentials) throw unauthorized()
  const answer = await checkSession(credentials)
  if (answer.status === 401) throw unauthorized()
  if (answer.status === 403)
    throw new ProductError('forbidden', 403, 'This session needs a second factor first')
  if (answer.session) return answer.session
  const { status, retry_after: retryAfter = 1 } = answer
  throw status === 503
    ? new ProductError('identity_unavailable', 503, 'The identity service is busy', { retryAfter })
    : new ProductError('identity_unavailable', 502, 'The identity service did not answer', { retryAfter: 5 })
}

export interface LiveSession {
  readonly id: string
  readonly identity: { readonly id: string; readonly traits: OwnTraits }
  readonly roles: readonly Role[]
  /** The session came from a recovery, and its user has set no credential since. */
  readonly recovering: boolean
}

/** Copies only the headers in which whoami accepts a credential. */
export function pickCredentials(headers: Headers): Headers | undefined {
  const credentials = new Headers({ accept: 'application/json' })
  const names = ['cookie', 'x-session-token', 'authorization']
  const sentNames = names.filter((name) => headers.has(name))
  for (const name of sentNames) credentials.set(name, headers.get(name) ?? '')
  return sentNames.length > 0 ? credentials : undefined
}

/** Another scheme means another identity and does not fall back to the cookie. */
function readUserJwt(headers: Headers): string | undefined {
  const authorization = headers.get('authorization')
  // Two headers are joined by a comma, which no token contains.
  if (authorization !== null) return /^bearer ([\w.-]+)$/i.exec(authorization)?.[1]
  const tokens = cookieValues(headers.get('cookie') ?? undefined, 'user_jwt')
  // A sibling host may have set either cookie.
  return tokens.length === 1 ? tokens[0] : undefined
}

function credentialRequired(): ProductError {
  return new ProductError('credential_required', 403, 'Choose a new password to finish the recovery')
}

function unauthorized(): ProductError {
  return new ProductError('unauthorized', 401, 'Please log in', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}
