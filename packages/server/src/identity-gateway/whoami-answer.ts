import { z } from 'zod'
import type { SessionAnswer } from './identity-gateway.ts'

/** A body that is not JSON is a failure. An inactive session counts as none. */
export async function readSession(response: Response): Promise<SessionAnswer> {
  const { status, headers } = response
  if (status !== 200) return { status, retry_after: Number(headers.get('retry-after')) || 1 }
  const body: unknown = await response.json().catch(() => undefined)
  if (body === undefined) return { status: 502 }
  const { data: session } = activeSession.safeParse(body)
  return session ? { status, session } : { status: 401 }
}

const activeSession = z.object({
  active: z.literal(true),
  id: z.string(),
  identity: z.object({
    id: z.string(),
    traits: z.record(z.string(), z.unknown()),
    metadata_public: z.unknown().optional(),
  }),
})
