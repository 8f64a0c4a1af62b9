import { publicUrl } from '../../config/base-url.ts'
import { revisionOf, VERSION } from '../../config/version.ts'
import type { Context } from '../../contract/contract.ts'
import { redirect } from '../headers.ts'
import { barePath, type Http } from '../request.ts'
import { ready } from '../route.ts'
import { createIdentities } from './batch.ts'
import { patchIdentity, replaceIdentity } from './change.ts'
import { listMessages, retryMessage, sendVerification, showMessage } from './courier.ts'
import { deleteCredential } from './credentials.ts'
import {
  createIdentity,
  deleteIdentity,
  listIdentities,
  listIdentityEvents,
  showByExternalId,
  showIdentity,
  showStatistics,
} from './identities.ts'
import { listCalls } from './operators.ts'
import { createRecoveryCode, createRecoveryLink } from './recovery.ts'
import {
  deleteIdentitySessions,
  endAnySession,
  extendSession,
  listEverySession,
  listIdentitySessions,
  manageSessions,
  showSession,
} from './sessions.ts'

export type AdminHandler = (ctx: Context, c: Http) => Promise<Response>

/** `about` ends with the parameters of the query, after a question mark. */
export type AdminRoute = readonly [method: string, path: string, handler: AdminHandler, about: string]

const PAGE = 'page_size page_token'
export const PAGES = `${PAGE} page per_page`
const FILTERS =
  'ids credentials_identifier preview_credentials_identifier_similar organization_id state order include_credential include_transfer'

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  ['GET', '/health/alive', async (_ctx, c) => c.json({ status: 'ok' }), 'Whether the process answers'],
  ['GET', '/health/ready', ready, 'Whether the database accepts writes'],
  ['GET', '/health/config', async (ctx, c) => c.text(revisionOf(ctx.config)), 'The configuration’s revision'],
  ['GET', '/metrics', metrics, 'Metrics for Prometheus'],
  // Kratos compatibility: scrapers use this path.
  ['GET', '/metrics/prometheus', metrics, 'Metrics for Prometheus'],
  ['GET', '/version', async (_ctx, c) => c.json({ version: VERSION }), 'The version'],
  ['GET', '/audit', listCalls, `Lists the calls of this API that changed or were refused something ?${PAGE}`],
  ['GET', '/statistics', showStatistics, 'Counts accounts by state, and the logins of the last 14 days'],
  ['GET', '/courier/messages', listMessages, `Lists messages ?status recipient ${PAGE}`],
  ['GET', '/courier/messages/:id', showMessage, 'Shows a message'],
  ['POST', '/courier/messages/:id/retry', retryMessage, 'Sends an abandoned message again'],
  ['GET', '/identities', listIdentities, `Lists or finds identities ?${FILTERS} ${PAGES}`],
  ['POST', '/identities', createIdentity, 'Creates an identity'],
  ['PATCH', '/identities', createIdentities, 'Creates several identities'],
  ['GET', '/identities/by/external/:external_id', showByExternalId, 'Finds an identity ?include_credential'],
  ['GET', '/identities/:id', showIdentity, 'Shows an identity ?include_credential'],
  ['PUT', '/identities/:id', replaceIdentity, 'Replaces an identity'],
  ['PATCH', '/identities/:id', patchIdentity, 'Changes an identity by a JSON Patch'],
  ['DELETE', '/identities/:id', deleteIdentity, 'Deletes an identity'],
  ['DELETE', '/identities/:id/credentials/:type', deleteCredential, 'Removes a credential ?identifier'],
  ['GET', '/identities/:id/events', listIdentityEvents, `Lists the security events of an identity ?${PAGE}`],
  ['GET', '/identities/:id/sessions', listIdentitySessions, `Lists sessions of an identity ?active ${PAGES}`],
  ['DELETE', '/identities/:id/sessions', deleteIdentitySessions, 'Ends the sessions of an identity'],
  ['POST', '/identities/:id/verification', sendVerification, 'Sends a verification code'],
  ['GET', '/sessions', listEverySession, `Lists all sessions ?active expand ${PAGE}`],
  ['POST', '/sessions', manageSessions, 'Ends the sessions of identities, or named ones'],
  ['DELETE', '/sessions', toPublicPort, 'Redirects to the public port'],
  ['GET', '/sessions/:id', showSession, 'Shows a session ?expand'],
  ['DELETE', '/sessions/:id', endAnySession, 'Ends a session'],
  ['PATCH', '/sessions/:id/extend', extendSession, 'Extends a session'],
  ['POST', '/recovery/code', createRecoveryCode, 'Creates a recovery code ?return_to'],
  ['POST', '/recovery/link', createRecoveryLink, 'Creates a recovery link ?return_to'],
]

export async function toPublicPort(ctx: Context, c: Http): Promise<Response> {
  return redirect(c, publicUrl(ctx, barePath(c) + new URL(c.req.url).search), 307)
}

async function metrics(ctx: Context, c: Http): Promise<Response> {
  const { type, text } = await ctx.metrics.expose()
  return c.body(text, 200, { 'Content-Type': type })
}
