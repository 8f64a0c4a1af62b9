import { addressOf, deviceName } from '@ostiary/identity/operating'
import { z } from 'zod'
import { ProductError } from '../http/errors.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'
import { pickCredentials } from '../session/session.ts'
import type { Device } from './answers.ts'

const session = z.object({
  id: z.string(),
  authenticated_at: z.string().optional(),
  issued_at: z.string().optional(),
  authentication_methods: z
    .array(z.object({ method: z.string(), provider: z.string().optional() }))
    .nullish(),
  devices: z
    .array(z.object({ ip_address: z.string().optional(), user_agent: z.string().optional() }))
    .nullish(),
})

type DeviceSession = z.infer<typeof session>

/** The current session comes first. `activity` is known for embedded sessions only. */
export async function listDevices(
  call: IdentityGateway['call'],
  headers: Headers,
  activity: Readonly<Record<string, string>> = {},
): Promise<Device[]> {
  const credentials = pickCredentials(headers) ?? new Headers()
  const [ownSession, otherSessions] = await Promise.all([
    parseReply(call('/sessions/whoami', credentials), session),
    parseReply(call('/sessions?page_size=250', credentials), z.array(session)),
  ])
  return [ownSession, ...otherSessions].map((one) => ({
    ...describe(one, one.id === ownSession.id),
    last_active_at: activity[one.id],
  }))
}

async function parseReply<T>(response: Promise<Response>, schema: z.ZodType<T>): Promise<T> {
  const answer = await response
  if (answer.status === 401) throw new ProductError('unauthorized', 401, 'Please log in')
  const parsed = schema.safeParse(answer.ok ? await answer.json().catch(() => undefined) : undefined)
  if (parsed.success) return parsed.data
  throw new ProductError('identity_unavailable', 502, 'The identity service did not answer', {
    retryAfter: 5,
  })
}

function describe(
  { id, devices, authentication_methods, ...times }: DeviceSession,
  current: boolean,
): Device {
  const [device] = devices ?? []
  const firstMethod = authentication_methods?.[0]
  return {
    id,
    current,
    ...deviceName(device?.user_agent),
    address: addressOf(device?.ip_address),
    signed_in_at: times.issued_at ?? times.authenticated_at,
    method: firstMethod?.provider ?? firstMethod?.method,
  }
}
