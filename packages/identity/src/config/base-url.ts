import type { FlowKind } from '../wire/flow.ts'
import type { Config } from './config.ts'

interface Configured {
  readonly config: Pick<Config, 'serve'>
}

export function publicUrl({ config }: Configured, path: string): string {
  return urlAt(config.serve.public.base_url, path)
}

export function adminUrl({ config }: Configured, path: string): string {
  return urlAt(config.serve.admin.base_url, path)
}

export function pageUrl(
  { config }: { readonly config: Pick<Config, 'serve' | 'selfservice'> },
  kind: FlowKind | 'error',
): string {
  return new URL(config.selfservice.flows[kind].ui_url, config.serve.public.base_url).href
}

/** The page that notices link. */
export function reviewUrl({ config }: { readonly config: Config }): string {
  const { review_url = config.selfservice.flows.settings.ui_url } = config.security.notices
  return new URL(review_url, config.serve.public.base_url).href
}

export function urlAt(base: string, path: string): string {
  return (base.endsWith('/') ? base.slice(0, -1) : base) + path
}

/** Removes the path of the base URL. `undefined` for a path outside of it. */
export function pathBelowBase({ config }: Configured, path: string): string | undefined {
  const mount = new URL(config.serve.public.base_url).pathname.replace(/\/$/, '')
  return path.startsWith(`${mount}/`) ? path.slice(mount.length) : undefined
}
