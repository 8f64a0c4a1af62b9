import type { WithNodes } from '@ostiary/react/internal'
import type { ReactNode } from 'react'
import { readSettings } from '../api/env.ts'

export interface Provider {
  readonly id: string
  readonly label: string
}

/** The providers that a flow offers. Before it arrives, those of the page's settings. */
export function offeredProviders(
  flow: WithNodes | undefined,
  field: 'provider' | 'link' | 'unlink' = 'provider',
): readonly Provider[] {
  if (!flow) return readSettings().providers
  return flow.ui.nodes.flatMap(({ attributes, meta }) => {
    if (attributes.node_type !== 'input' || attributes.name !== field) return []
    const { provider } = (meta.label?.context ?? {}) as { provider?: string }
    const id = String(attributes.value)
    return [{ id, label: provider ?? labelOf(id) ?? id }]
  })
}

/** Undefined if the method is not a known provider. */
export function labelOf(id: string): string | undefined {
  return readSettings().providers.find((one) => one.id === id)?.label
}

/** A provider without a drawing gets a neutral mark. */
export function ProviderMark({ id }: { id: string }) {
  return (
    <svg viewBox="0 0 18 18" className="size-5 shrink-0" fill="currentColor" aria-hidden="true">
      {drawings[id] ?? neutral}
    </svg>
  )
}

const neutral = (
  <path
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    d="M6.5 11.5a3.6 3.6 0 1 1 2.6-2.5h7.4v2.6h-2.2v2h-2.6v-2h-2.6"
  />
)

const drawings: Readonly<Record<string, ReactNode>> = {
  apple: (
    <path d="M11.600.8c.1 1.5-1.2 3.1-2.8 3.1-.2-1.5 1.2-3 2.8-3.1M12 4.6c1.5 0 2.700.8 3.4 1.9-2.8 1.7-2.3 5.400.5 6.6-.7 1.9-2 4.2-3.6 4.2-1.1 0-1.5-.7-2.9-.7s-1.900.7-2.900.7c-2 0-4.6-4.2-4.6-7.6 0-3.3 2.1-5.1 4.2-5.1 1.3 0 2.300.8 3.100.8.8 0 1.7-.8 2.8-.8" />
  ),
  discord: (
    <path
      fill="#5865F2"
      fillRule="evenodd"
      d="M6.7 3 7 3.7a12 12 0 0 1 4 0l.3-.7 3 .9c1.8 2.7 2.6 5.6 2.3 9l-3.7 2-.9-1.500.9-.5a9 9 0 0 1-7.8 0l.9.5-.9 1.5-3.7-2c-.3-3.400.5-6.3 2.3-9zM6.4 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3m5.2 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3"
    />
  ),
  github: (
    <path
      transform="scale(1.125)"
      d="M8 0C3.58 0 0 3.58 0 8c0 3.54 2.29 6.53 5.47 7.59.4.07.55-.17.55-.38 0-.19-.01-.82-.01-1.49-2.01.37-2.53-.49-2.69-.94-.09-.23-.48-.94-.82-1.13-.28-.15-.68-.52-.01-.53.63-.01 1.08.58 1.23.82.72 1.21 1.87.87 2.33.66.07-.52.28-.87.51-1.07-1.78-.2-3.64-.89-3.64-3.95 0-.87.31-1.59.82-2.15-.08-.2-.36-1.02.08-2.12 0 0 .67-.21 2.2.82.64-.18 1.32-.27 2-.27s1.36.09 2 .27c1.53-1.04 2.2-.82 2.2-.82.44 1.1.16 1.92.08 2.12.51.56.82 1.27.82 2.15 0 3.07-1.87 3.75-3.65 3.95.29.25.54.73.54 1.48 0 1.07-.01 1.93-.01 2.2 0 .21.15.46.55.38A8.01 8.01 0 0 0 16 8c0-4.42-3.58-8-8-8"
    />
  ),
  gitlab: (
    <>
      <path fill="#E24329" d="m9 16.5 3-9H6z" />
      <path fill="#FC6D26" d="m9 16.5-7.5-5.7L3 7.5h3zm0 0 7.5-5.7-1.5-3.3h-3z" />
      <path fill="#E24329" d="M3 7.5h3L4.5 2zm12 0h-3L13.5 2z" />
    </>
  ),
  google: (
    <>
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
    </>
  ),
  microsoft: (
    <>
      <path fill="#F25022" d="M1 1h7.5v7.5H1z" />
      <path fill="#7FBA00" d="M9.5 1H17v7.5H9.5z" />
      <path fill="#00A4EF" d="M1 9.5h7.5V17H1z" />
      <path fill="#FFB900" d="M9.5 9.5H17V17H9.5z" />
    </>
  ),
  slack: (
    <g fill="none" strokeWidth="3" strokeLinecap="round">
      <path stroke="#36C5F0" d="M7 2.5v4M2.5 7h.01" />
      <path stroke="#2EB67D" d="M15.5 7h-4M11 2.5v.01" />
      <path stroke="#ECB22E" d="M11 15.5v-4M15.5 11h-.01" />
      <path stroke="#E01E5A" d="M2.5 11h4M7 15.5v-.01" />
    </g>
  ),
}
