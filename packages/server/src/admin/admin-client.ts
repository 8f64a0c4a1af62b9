import { jsonOrText } from '@ostiary/identity/serving'
import { StartError } from '../http/errors.ts'
import type { Settings } from '../settings/env.ts'

export interface AdminClient {
  /** Throws `StartError` unless the status is 2xx. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  /** Returns why a request was rejected (4xx). Throws `StartError` for 401 and 5xx. */
  attempt(method: string, path: string, body: unknown): Promise<{ body: unknown } | { refusal: string }>
  /** Repeats reading and changing if another operator changed it in between. */
  update(path: string, changeFor: ChangeFor, method?: 'PATCH' | 'PUT'): Promise<void>
  page(path: string): Promise<{ items: unknown; next: string | undefined }>
}

/** Undefined if nothing has to change. */
type ChangeFor = (current: unknown) => object | undefined

const UPDATE_ATTEMPTS = 10

export function createAdminClient({ admin_host, admin_port, admin_token: token }: Settings): AdminClient {
  const host = admin_host.includes(':') ? `[${admin_host}]` : admin_host
  const base = `http://${host}:${admin_port}`
  const send = async (method: string, path: string, body?: unknown, ifMatch?: string) => {
    const headers = {
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    try {
      const answer = await fetch(`${base}/admin${path}`, request)
      const text = await answer.text()
      return { answer, text, body: answer.ok && text !== '' ? (JSON.parse(text) as unknown) : undefined }
    } catch (cause) {
      throw new StartError(
        `The admin API does not answer at ${base}. Is the server running, with the same ADMIN_HOST and ADMIN_PORT?`,
        { cause },
      )
    }
  }
  const refusalOf = (status: number, text: string) => {
    if (status !== 401) return new StartError(`The admin API refused (${status}): ${reasonOf(text)}`)
    const problem = token === undefined ? 'asks for a token' : 'refused the token in ADMIN_TOKEN'
    return new StartError(
      `The admin API ${problem}: set ADMIN_TOKEN to the server’s, or to your own if ADMIN_TOKENS of the server names you.`,
    )
  }
  const successful = async (method: string, path: string, body?: unknown) => {
    const sent = await send(method, path, body)
    if (!sent.answer.ok) throw refusalOf(sent.answer.status, sent.text)
    return sent
  }
  /** False if it was changed after it was read. */
  const isUpdated = async (method: string, path: string, changeFor: ChangeFor): Promise<boolean> => {
    const { answer, body } = await successful('GET', path)
    const change = changeFor(body)
    if (change === undefined) return true
    const changed = await send(method, path, change, answer.headers.get('ETag') ?? '*')
    if (changed.answer.ok || changed.answer.status === 412) return changed.answer.ok
    throw refusalOf(changed.answer.status, changed.text)
  }
  return {
    call: async (method, path, body) => (await successful(method, path, body)).body,
    async attempt(method, path, body) {
      const { answer, text, body: received } = await send(method, path, body)
      if (answer.ok) return { body: received }
      if ([401, 403].includes(answer.status) || answer.status >= 500) throw refusalOf(answer.status, text)
      return { refusal: reasonOf(text) }
    },
    async update(path, changeFor, method = 'PATCH') {
      for (let attempt = 0; attempt < UPDATE_ATTEMPTS; attempt++)
        if (await isUpdated(method, path, changeFor)) return
      throw new StartError('Others keep changing this account. Try again.')
    },
    async page(path) {
      const { answer, body } = await successful('GET', path)
      return { items: body, next: nextPath(answer.headers.get('Link') ?? '') }
    },
  }
}

/** RFC 8288: `<https://…/admin/identities?page_token=…>; rel="next"`. */
function nextPath(link: string): string | undefined {
  const target = /<([^>]+)>;\s*rel="?next"?/.exec(link)?.[1]
  if (target === undefined) return undefined
  const { pathname, search } = new URL(target, 'http://localhost')
  return pathname.replace(/^.*?\/admin\//, '/') + search
}

function reasonOf(text: string): string {
  const { error } = (jsonOrText(text) ?? {}) as { error?: { reason?: string; message?: string } }
  return error?.reason ?? error?.message ?? text.slice(0, 200)
}
