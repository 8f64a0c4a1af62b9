import type { IdentityChange } from '../../contract/completion.ts'
import { type Context, step } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { countFirstFactors } from '../../identities/factors.ts'
import {
  linkedProviders,
  providersOf,
  withProvider,
  withProviders,
} from '../../identities/provider-accounts.ts'
import { readText } from '../../identities/schema/decode.ts'
import { credentialOf, type Subject } from '../../identities/subject.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { type Credential, listCredentials } from '../../storage/identities/credentials.ts'
import { messages } from '../../ui/messages.ts'
import { submit } from '../../ui/nodes.ts'
import type { UiNode } from '../../wire/node.ts'
import { completeAuthorization, redirectToProvider } from './authorization.ts'
import { type Intent, namesProvider, readIntent } from './intent.ts'
import { allProviders, findProvider } from './providers/all.ts'
import { labelOf, notOwnAuthorization } from './providers/provider.ts'
import { entryOf, findRevealedUser } from './user.ts'

type Input = { readonly link: Intent } | { readonly unlink: string }

export const settings = step('settings', {
  whenDisabled: { claimed: true },
  nodes(ctx, _flow, subject): readonly UiNode[] {
    const credentials = subject?.credentials ?? []
    const linked = linkedProviders(credentials)
    const removable = countFirstFactors(ctx, credentials) > 1
    return allProviders(ctx).flatMap((one) => {
      const label = labelOf(one)
      if (!linked.includes(one.id)) return [submit('oidc', one.id, messages.linkProvider(label), 'link')]
      return removable ? [submit('oidc', one.id, messages.unlinkProvider(label), 'unlink')] : []
    })
  },

  claims: (_flow, values) => namesProvider(values, 'link') || namesProvider(values, 'unlink'),

  parse(_ctx, _flow, values): Input {
    const link = readText(values, 'link')
    const unlink = readText(values, 'unlink')
    if (link !== undefined && unlink !== undefined) throw new FormError(messages.generic(ONE_AT_A_TIME))
    if (unlink !== undefined) return { unlink }
    if (link === undefined) throw new FormError(messages.noSettingsMethod)
    return { link: readIntent(values, link, {}) }
  },

  /** Ory's client sends no token here. */
  csrf: () => 'optional',

  privileged(ctx, _flow, input, subject) {
    if ('link' in input) assertLinkable(ctx, input.link, subject)
    return true
  },

  async submit(ctx, flow, input, { caller, subject }) {
    if ('unlink' in input) {
      const change = withoutProvider(credentialOf(subject, 'oidc'), input.unlink)
      return { kind: 'completed', flow, completion: { method: 'oidc', change } }
    }
    const foundSession = await findLiveSession(ctx, caller)
    return await redirectToProvider(ctx, flow, input.link, { session_id: foundSession?.session.id })
  },

  handleCallback: (ctx, flow, answer, caller) =>
    completeAuthorization(ctx, flow, answer, async (before, authorized) => {
      // Kratos compatibility: `active` is set only after a provider's response.
      const flow = { ...before, active: 'oidc' }
      const liveSession = await findLiveSession(ctx, caller)
      if (liveSession?.session.id !== authorized.session_id) throw notOwnAuthorization()
      if (await findRevealedUser(ctx, authorized)) {
        return { kind: 'refused', flow, error: new FormError(messages.duplicateLink) }
      }
      const ownCredentials = await listCredentials(ctx.db, flow.identity_id ?? '')
      const change = withProvider(ownCredentials, entryOf(ctx, authorized))
      const proved = { method: 'oidc' as const, aal: 'aal1' as const, provider: authorized.provider.id }
      return { kind: 'completed', flow, completion: { method: 'oidc', change, proved }, singleUse: true }
    }),
})

const ONE_AT_A_TIME = 'Please connect or disconnect one account at a time.'
const UNKNOWN = 'This provider does not exist. Please check the list.'
const LINKED = 'Your account is already connected to this provider.'
const NOT_LINKED = 'Your account is not connected to this provider. Please check the list.'
const LAST = 'This is your only way to log in. Please set a password or add a passkey first.'

function assertLinkable(ctx: Context, { provider }: Intent, subject: Subject | undefined): void {
  if (!findProvider(ctx, provider)) throw new FormError(messages.generic(UNKNOWN))
  if (linkedProviders(subject?.credentials ?? []).includes(provider))
    throw new FormError(messages.generic(LINKED))
}

function withoutProvider(credential: Credential | undefined, provider: string): IdentityChange {
  const connected = providersOf(credential)
  const remainingProviders = connected.filter((one) => one.provider !== provider)
  if (!credential) throw new ProtocolError({ status: 404, reason: NOT_LINKED })
  if (remainingProviders.length === connected.length) throw new FormError(messages.generic(NOT_LINKED))
  const expects = { type: 'oidc' as const, previousCredential: credential }
  const lastCredentialError = { message: messages.generic(LAST) }
  return { expects, lastCredentialError, put: [withProviders(credential, remainingProviders)] }
}
