import type { Settings } from '../settings/env.ts'

const PATIENCE_MS = 5000

export function publicHealthUrl({ port }: Pick<Settings, 'port'>): string {
  return `${localUrl('localhost', port)}/health/ready`
}

export function localUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Undefined without an answer of an app like this one. */
export async function readHealth(url: string): Promise<'ready' | 'not ready' | undefined> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined)
  const { status, error } = Object(await response?.json().catch(() => undefined))
  if (status === 'ok') return 'ready'
  return response?.status === 503 && (status === 'not ready' || error) ? 'not ready' : undefined
}
