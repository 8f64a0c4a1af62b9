/** A failed call of the product's backend; its message may be shown to users. */
export class RequestFailed extends Error {
  override name = 'RequestFailed'
  readonly status: number | undefined
  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Calls the product API with cookies. Throws `RequestFailed` unless the answer is a success with JSON. */
export async function getJson(path: string): Promise<{ json: unknown; headers: Headers }> {
  return await request(path, {})
}

export async function sendJson(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: object,
): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' }
  return (await request(path, { method, headers, body: JSON.stringify(body) })).json
}

/** A success without content has the JSON `undefined`. */
export async function request(path: string, init: RequestInit): Promise<{ json: unknown; headers: Headers }> {
  const response = await fetch(path, {
    ...init,
    credentials: 'include',
    headers: { Accept: 'application/json', ...init.headers },
  }).catch((cause: unknown) => {
    throw new RequestFailed('The server did not answer.', undefined, { cause })
  })
  const json: unknown = await response.json().catch(() => undefined)
  if (response.ok && (json !== undefined || response.status === 204))
    return { json, headers: response.headers }
  throw new RequestFailed(messageOf(json) ?? 'The server sent an invalid response.', response.status)
}

function messageOf(json: unknown): string | undefined {
  const { error } = (json ?? {}) as { error?: { reason?: string; message?: string } }
  return error?.reason ?? error?.message
}
