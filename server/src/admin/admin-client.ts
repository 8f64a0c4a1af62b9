import { StartError } from '../errors.ts'

/** The admin API of a running service, from the operator's side. */
export interface AdminClient {
  /** Throws `StartError` with a message for any status but 2xx. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
}

export function createAdminClient(base: string, token: string | undefined): AdminClient {
  return {
    async call(method, path, body) {
      const headers = {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      }
      const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const answer = await fetch(`${base}/admin${path}`, sent).catch((cause: unknown) => {
        throw new StartError(
          `The admin API does not answer at ${base}. Is the server running, with the same ADMIN_HOST and ADMIN_PORT?`,
          { cause },
        )
      })
      const text = await answer.text()
      if (!answer.ok) throw refused(answer.status, text)
      return text === '' ? undefined : JSON.parse(text)
    },
  }
}

function refused(status: number, text: string): StartError {
  if (status === 401)
    return new StartError('The admin API asks for a token: set ADMIN_TOKEN to the server’s.')
  return new StartError(`The admin API refused (${status}): ${reasonOf(text)}`)
}

function reasonOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { reason?: string; message?: string } }
    return error?.reason ?? error?.message ?? text.slice(0, 200)
  } catch {
    return text.slice(0, 200)
  }
}
