import { Configuration, FrontendApi, ResponseError } from '@ory/client-fetch'
import { readSettings } from '../api/env.ts'
import { learnServerTime } from '../clock.ts'
import { inOwnWords } from '../texts/catalogue.ts'

let client: FrontendApi | undefined

/** Sends cookies and asks for JSON instead of redirects. */
export function identityClient(): FrontendApi {
  client ??= new FrontendApi(
    new Configuration({
      basePath: readSettings().identity_url,
      credentials: 'include',
      headers: { Accept: 'application/json' },
      middleware: [
        { post: async ({ response }) => learnServerTime(response) },
        { post: async ({ response }) => await inOwnWords(response) },
      ],
    }),
  )
  return client
}

/** Where the service itself begins a login. */
export function loginUrl(query: Readonly<Record<string, string>>): string {
  return `${readSettings().identity_url}/self-service/login/browser?${new URLSearchParams(query)}`
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
