import { Configuration, FrontendApi, ResponseError } from '@ory/client-fetch'
import { learnServerTime } from '../clock.ts'
import type { IdentityService } from '../service.ts'
import { rewordResponse } from './reword.ts'

const clients = new WeakMap<IdentityService, FrontendApi>()

/** Sends cookies and asks for JSON instead of redirects. */
export function identityClient(service: IdentityService): FrontendApi {
  const cachedClient = clients.get(service)
  if (cachedClient) return cachedClient
  const client = new FrontendApi(
    new Configuration({
      basePath: service.url,
      credentials: 'include',
      headers: { Accept: 'application/json' },
      middleware: [
        { post: async ({ response }) => learnServerTime(response) },
        { post: async ({ response }) => await rewordResponse(response, service.messages ?? {}) },
      ],
    }),
  )
  clients.set(service, client)
  return client
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof ResponseError ? error.response.status : undefined
}

/** Whether the error is a response with that status and error id. */
export async function hasErrorId(error: unknown, status: number, id: string): Promise<boolean> {
  if (!(error instanceof ResponseError) || error.response.status !== status) return false
  const body = (await error.response
    .clone()
    .json()
    .catch(() => undefined)) as { error?: { id?: string } } | undefined
  return body?.error?.id === id
}
