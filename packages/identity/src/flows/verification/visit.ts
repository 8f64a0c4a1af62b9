import { checkToken } from '../../codes/check.ts'
import { lastRecipient, linkToConfirm } from '../../codes/memo.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { addressChange } from '../../identities/addresses/address-change.ts'
import { type Flow, updateFlow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { UiText } from '../../wire/text.ts'
import { assertFlowEnabled } from '../form/admission.ts'
import { csrfCookieForVisitor, isOwn } from '../form/csrf.ts'
import type { Decision, LinkSubmission, Outcome } from '../form/decision.ts'
import { render } from '../form/render.ts'
import { flowOfLink } from '../form/replacement.ts'
import { isByLink } from '../form/steps.ts'
import { isExpired } from '../form/stored.ts'
import { screenUrl } from '../form/urls.ts'
import { replaceExpired, replaceUsed } from './verification.ts'

/** Consumes nothing, because mail scanners open links too. The user presses the button. */
export async function visitVerification(
  ctx: Context,
  query: URLSearchParams,
  caller: Caller,
): Promise<Decision> {
  const flow = await flowOfLink(ctx, 'verification', { query, caller }, messages.verificationFlowExpired)
  assertFlowEnabled(ctx, 'verification')
  if (flow.kind === 'open') return flow
  const code = query.get('code')
  if (isExpired(ctx, flow))
    return replaceExpired(ctx, caller.json ? flow : { ...flow, type: 'browser' }, caller)
  const token = query.get('token')
  if (token && isByLink(ctx, flow)) return await openLink(ctx, flow, token, caller)
  if (flow.state === 'passed_challenge' && code !== null) {
    return replaceUsed(ctx, { ...flow, type: 'browser' }, { ...caller, json: false })
  }
  const url = screenUrl(ctx, 'verification', flow.id)
  if (code === null) {
    return isOwn(flow, caller)
      ? { kind: 'submit', flow_id: flow.id, values: {} }
      : { kind: 'elsewhere', url, status: 303, always: true }
  }
  const csrf = caller.csrf.secret
  const recipient = lastRecipient.read(flow)
  // The link opens a form again that a submission without a method ended.
  const { unclaimed: _, ...memo } = flow.memo
  const open = { ...flow, memo }
  const filled = recipient ? lastRecipient.write(open, { ...recipient, prefilled: code }) : open
  const takenFlow = { ...filled, csrf_token: maskCsrf(csrf) }
  await updateFlow(ctx.db, await render(ctx, takenFlow))
  return { kind: 'elsewhere', url, status: 303, always: true, cookies: csrfCookieForVisitor(caller) }
}

/** Asks before restoring an address. A browser gets the page, even of an app's flow. */
async function openLink(
  ctx: Context,
  flow: Flow<'verification'>,
  token: string,
  caller: Caller,
): Promise<Outcome | LinkSubmission> {
  const check = addressChange.read(flow)?.undo ? await checkToken(ctx, flow.id, token) : undefined
  if (check?.kind === 'right') {
    const message = ownMessages.undoAddress(check.code.address)
    return await confirmLink(ctx, flow, { token, message }, caller)
  }
  return { kind: 'submit', flow_id: flow.id, values: { token }, toPage: true }
}

/** Consumes nothing, because mail scanners open links too. */
async function confirmLink(
  ctx: Context,
  flow: Flow<'verification'>,
  { token, message }: { readonly token: string; readonly message: UiText },
  caller: Caller,
): Promise<Outcome> {
  const link = { token: ctx.secrets.encrypt('link token', token) }
  const memo = { ...flow.memo, ...linkToConfirm.entry(link), messages: [{ message }] }
  const csrf = caller.csrf.secret
  const takenFlow: Flow<'verification'> = { ...flow, type: 'browser', csrf_token: maskCsrf(csrf), memo }
  await updateFlow(ctx.db, await render(ctx, takenFlow))
  return {
    kind: 'elsewhere',
    url: screenUrl(ctx, 'verification', flow.id),
    status: 303,
    always: true,
    cookies: csrfCookieForVisitor(caller),
  }
}
