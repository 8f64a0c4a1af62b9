import type { UiNode } from '@ory/client-fetch'
import { GithubMark, GoogleMark } from '../ui/provider-marks.tsx'

export type Provider = 'github' | 'google'

export const providers: readonly Provider[] = ['github', 'google']

export const providerNames: Record<Provider, string> = { github: 'GitHub', google: 'Google' }

export const providerMarks = { github: GithubMark, google: GoogleMark }

/** The providers that a flow offers: to sign in with, to link or to unlink. */
export function offeredProviders(
  flow: { ui: { nodes: UiNode[] } } | undefined,
  name: 'provider' | 'link' | 'unlink',
): Provider[] {
  const offered = flow?.ui.nodes.map(({ attributes }) =>
    attributes.node_type === 'input' && attributes.name === name ? attributes.value : undefined,
  )
  return providers.filter((provider) => offered?.includes(provider))
}
