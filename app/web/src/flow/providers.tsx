import type { UiNode } from '@ory/client-fetch'

export type Provider = 'github' | 'google'

export const providers: readonly Provider[] = ['github', 'google']

export const providerNames: Record<Provider, string> = { github: 'GitHub', google: 'Google' }

export const providerMarks = { github: GithubMark, google: GoogleMark }

export function offeredProviders(
  flow: { ui: { nodes: UiNode[] } } | undefined,
  name: 'provider' | 'link' | 'unlink',
): Provider[] {
  const offered = flow?.ui.nodes.map(({ attributes }) =>
    attributes.node_type === 'input' && attributes.name === name ? attributes.value : undefined,
  )
  return providers.filter((provider) => offered?.includes(provider))
}

export function GithubMark() {
  return (
    <svg viewBox="0 0 16 16" className="size-5 shrink-0" fill="currentColor" aria-hidden="true">
      <path d="M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27s1.36.09 2 .27c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.01 8.01 0 0 0 16 8c0-4.42-3.58-8-8-8" />
    </svg>
  )
}

export function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" className="size-5 shrink-0" aria-hidden="true">
      <path
        fill="#4285F4"
        d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92a8.78 8.78 0 0 0 2.68-6.62"
      />
      <path
        fill="#34A853"
        d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26a5.4 5.4 0 0 1-8.07-2.84H.96v2.33A9 9 0 0 0 9 18"
      />
      <path fill="#FBBC05" d="M3.97 10.72a5.4 5.4 0 0 1 0-3.44V4.95H.96a9 9 0 0 0 0 8.1z" />
      <path
        fill="#EA4335"
        d="M9 3.58c1.32 0 2.51.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.95l3.01 2.33A5.36 5.36 0 0 1 9 3.58"
      />
    </svg>
  )
}
