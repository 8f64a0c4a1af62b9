import type { Identity } from '@ostiary/identity'
import { addressOf, deviceName } from '@ostiary/identity/operating'
import { Hono, type MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { z } from 'zod'
import { ProductError } from '../http/errors.ts'
import { describedBy, describeRoute, validator } from '../http/operation.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'
import type { ProductConfig } from '../product/product.ts'
import type { SessionCheck, WithSession } from '../session/session.ts'
import * as answers from './answers.ts'
import { authenticatorNames } from './authenticator-names.ts'
import { listDevices } from './devices.ts'

/** No other identity service offers these. */
type EmbeddedIdentity = Pick<Identity, 'account' | 'listEvents'>

export interface AccountParts {
  readonly identity: Pick<IdentityGateway, 'call'>
  readonly session: Pick<SessionCheck, 'require' | 'findLiveSession'>
  readonly embeddedIdentity: EmbeddedIdentity | undefined
  readonly config: Pick<ProductConfig, 'exportFile'>
}

export function accountRoutes(parts: AccountParts) {
  return new Hono()
    .use(async (c, next) => {
      await next()
      c.header('Cache-Control', 'no-store')
    })
    .route('/', sessionRoutes(parts))
    .route('/', credentialRoutes(parts))
    .route('/', dataRoutes(parts))
}

function sessionRoutes({ identity, session, embeddedIdentity }: AccountParts) {
  return new Hono()
    .get(
      '/session',
      describeRoute({
        summary: 'Whether a recovery must be finished first',
        answer: answers.recovery,
        errors: [401, 403],
      }),
      async (c) => {
        const { recovering } = await session.findLiveSession(c.req.raw.headers)
        return c.json<z.infer<typeof answers.recovery>>({ recovering })
      },
    )
    .get(
      '/devices',
      describeRoute({
        summary: 'Lists the sessions, this one first',
        answer: answers.devices,
        errors: [502],
      }),
      session.require(),
      async (c) => {
        const lastActive = await embeddedIdentity?.account.sessionActivity(c.var.session.identity.id)
        return c.json<answers.Device[]>(await listDevices(identity.call, c.req.raw.headers, lastActive))
      },
    )
}

function credentialRoutes(parts: AccountParts) {
  const owned = requireOwned(parts)
  return new Hono()
    .get(
      '/credentials',
      describeRoute({ summary: 'Lists the ways to log in', answer: answers.credentials }),
      owned,
      async (c) => {
        const { passkeys, ...rest } = await c.var.own.account.credentials(c.var.session.identity.id)
        return c.json<z.infer<typeof answers.credentials>>({ ...rest, passkeys: passkeys.map(withKeeper) })
      },
    )
    .patch(
      '/passkeys/:id',
      describeRoute({ summary: 'Renames a passkey', answer: answers.passkeyName, errors: [404] }),
      owned,
      validator('json', answers.passkeyName),
      async (c) => {
        const { name } = c.req.valid('json')
        if (!(await c.var.own.account.renamePasskey(c.var.session.identity.id, c.req.param('id'), name)))
          throw new ProductError('not_found', 404, 'Your account has no such passkey')
        return c.json<z.infer<typeof answers.passkeyName>>({ name })
      },
    )
}

function dataRoutes(parts: AccountParts) {
  const owned = requireOwned(parts)
  return new Hono()
    .get(
      '/activity',
      describeRoute({ summary: 'Lists the latest events, 50 at a time', answer: answers.activity }),
      owned,
      validator('query', z.object({ before: z.uuid().optional() }), '`before` must be the id of an event'),
      async (c) => {
        const { before } = c.req.valid('query')
        const events = await c.var.own.listEvents(c.var.session.identity.id, { limit: ACTIVITY_PAGE, before })
        return c.json<z.infer<typeof answers.activity>>(
          events.map(({ identity_id: _, user_agent, client_address, ...event }) => ({
            ...event,
            client_address: addressOf(client_address),
            device: deviceName(user_agent).name,
          })),
        )
      },
    )
    .get(
      '/export',
      describeRoute({ summary: 'Everything about the user', answer: answers.exported }),
      owned,
      async (c) => {
        const answer = await c.var.own.account.exportAll(c.var.session.id)
        assertPrivileged(answer)
        const headers = { 'Content-Disposition': `attachment; filename="${parts.config.exportFile}"` }
        const { credentials, ...rest } = answer.data
        const passkeys = credentials.passkeys.map((one) => ({ ...one, ...withKeeper(one) }))
        const data = { ...rest, credentials: { ...credentials, passkeys } }
        return c.json<z.infer<typeof answers.exported>>(data, 200, headers)
      },
    )
    .get(
      '/deletion',
      describeRoute({ summary: 'When the account is deleted', answer: answers.deletion }),
      owned,
      async (c) => {
        const due_at = (await c.var.own.account.deletionDue(c.var.session.identity.id)) ?? null
        return c.json<z.infer<typeof answers.deletion>>({ due_at })
      },
    )
    .post(
      '/deletion',
      describeRoute({ summary: 'Schedules the deletion', answer: answers.scheduled, status: 202 }),
      owned,
      async (c) => {
        const answer = await c.var.own.account.requestDeletion(c.var.session.id)
        assertPrivileged(answer)
        return c.json<z.infer<typeof answers.scheduled>>({ due_at: answer.due_at }, 202)
      },
    )
    .delete('/deletion', describeRoute({ summary: 'Keeps the account', status: 204 }), owned, async (c) => {
      assertPrivileged(await c.var.own.account.cancelDeletion(c.var.session.id))
      return c.body(null, 204)
    })
}

interface Owned {
  readonly Variables: WithSession['Variables'] & { readonly own: EmbeddedIdentity }
}

/** 401 without a session. 501 with another identity service. */
function requireOwned({ session, embeddedIdentity }: AccountParts): MiddlewareHandler<Owned> {
  const requireOwnIdentity: MiddlewareHandler<Owned> = async (c, next) => {
    if (!embeddedIdentity)
      throw new ProductError('not_available', 501, 'This is not available with the identity service in use')
    c.set('own', embeddedIdentity)
    await next()
  }
  return describedBy({ errors: [401, 403, 501] }, every(session.require(), requireOwnIdentity))
}

function assertPrivileged<A extends { readonly kind: string }>(
  answer: A,
): asserts answer is Exclude<A, { readonly kind: 'confirm' | 'signed_out' }> {
  if (answer.kind === 'signed_out') throw new ProductError('unauthorized', 401, 'Please log in')
  if (answer.kind === 'confirm')
    throw new ProductError('confirmation_required', 403, 'Please confirm who you are first')
}

const ACTIVITY_PAGE = 50

function withKeeper<P extends { readonly aaguid: string }>({ aaguid, ...passkey }: P) {
  return { ...passkey, kept_by: authenticatorNames[aaguid] }
}
