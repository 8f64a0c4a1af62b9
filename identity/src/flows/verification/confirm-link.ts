import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import type { Flow } from '../../storage/flows.ts'
import { updateFlow } from '../../storage/flows.ts'
import type { UiText } from '../../wire/text.ts'
import { secretOfVisitor } from '../engine/own-secret.ts'
import { render } from '../engine/render.ts'
import type { FlowSpec, Outcome } from '../engine/spec.ts'
import { screenUrl } from '../engine/urls.ts'

/**
 * Shows what an emailed link will do, with a button to do it. Consumes nothing, because mail scanners open links too.
 */
export async function confirmLink(
  ctx: Context,
  spec: FlowSpec<'verification'>,
  flow: Flow<'verification'>,
  { token, message }: { readonly token: string; readonly message: UiText },
  caller: Caller,
): Promise<Outcome> {
  const link = { token: ctx.secrets.encrypt('link token', token) }
  const memo = { ...flow.memo, link_to_confirm: link, messages: [{ message }] }
  const csrf = caller.csrf.secret
  const taken: Flow<'verification'> = { ...flow, type: 'browser', csrf_token: maskCsrf(csrf), memo }
  await updateFlow(ctx.db, await render(ctx, spec, taken))
  return {
    kind: 'elsewhere',
    url: screenUrl(ctx, 'verification', flow.id),
    status: 303,
    always: true,
    cookies: secretOfVisitor(caller),
  }
}
