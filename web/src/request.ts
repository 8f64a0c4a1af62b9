/** An answer of the product's backend that is no success; the message is fit for people. */
export class RequestFailed extends Error {
  override name = 'RequestFailed'
  readonly status: number | undefined
  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** Asks the product's backend, cookies included; throws RequestFailed for everything but a success with JSON. */
export async function getJson(path: string): Promise<{ json: unknown; headers: Headers }> {
  const response = await fetch(path, {
    credentials: 'include',
    headers: { Accept: 'application/json' },
  }).catch((cause: unknown) => {
    throw new RequestFailed('The server did not answer.', undefined, { cause })
  })
  const json: unknown = await response.json().catch(() => undefined)
  if (response.ok && json !== undefined) return { json, headers: response.headers }
  throw new RequestFailed(messageOf(json) ?? 'The server answered in an unknown way.', response.status)
}

function messageOf(json: unknown): string | undefined {
  const { error } = (json ?? {}) as { error?: { reason?: string; message?: string } }
  return error?.reason ?? error?.message
}
