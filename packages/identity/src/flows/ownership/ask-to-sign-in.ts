import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { isDerived } from '../../identities/create.ts'
import { firstFactors } from '../../identities/factors.ts'
import { awaitedProof } from '../../identities/named-account.ts'
import { linkedProviders } from '../../identities/provider-accounts.ts'
import { listCredentials } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import { csrfCookieForVisitor } from '../form/csrf.ts'
import type { CompletedStep, OpenFlow } from '../form/decision.ts'
import { screenUrl } from '../form/urls.ts'
import { removesSetUp } from './take-over.ts'

/**
 * In another browser than the registering one, only the user who set the account up can sign in, so the
 * proof waits for that (SEC-24). Consumes nothing. Undefined if there is nothing to sign in with.
 */
export async function askToSignIn(
  ctx: Context,
  identity: StoredIdentity,
  { flow, completion, caller }: CompletedStep<'verification'>,
): Promise<OpenFlow<'login'> | undefined> {
  if (!(await removesSetUp(ctx, identity, { flow, caller }))) return undefined
  const address = identity.addresses.find(({ id }) => id === completion.address_id)
  const credentials = (await listCredentials(ctx.db, identity.id)).filter((one) => !isDerived(one))
  const methods = firstFactors(ctx, credentials)
  if (!address || methods.length === 0) return undefined
  const proof = {
    identity_id: identity.id,
    identifier: address.value,
    methods,
    providers: linkedProviders(credentials),
    flow_id: flow.id,
    completion,
  }
  const { return_to } = flow
  return {
    kind: 'open',
    into: 'login',
    request: { type: 'browser', request_url: publicUrl(ctx, '/self-service/login/browser') },
    start: {
      fields: { memo: awaitedProof.entry(proof), ...(return_to && { return_to }) },
      messages: [ownMessages.provedElsewhere],
    },
    lead: ({ id }) => ({
      kind: 'elsewhere',
      url: screenUrl(ctx, 'login', id),
      status: 303,
      cookies: caller.csrf.sent ? {} : csrfCookieForVisitor(caller),
    }),
  }
}
