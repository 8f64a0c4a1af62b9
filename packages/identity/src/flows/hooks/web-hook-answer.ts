import { z } from 'zod'
import type { WebHook } from '../../config/web-hook.ts'
import { type FieldMessage, HookRefusal, ProtocolError } from '../../errors/errors.ts'
import { pointerSteps } from '../../identities/schema/trait-at.ts'
import { brokenBound } from '../../input/json.ts'
import { readCapped } from '../../input/plain-text.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import { mayStop } from './hooks.ts'

const json = z.json().transform((value) => value as Json)
const refusalSchema = z.object({
  messages: z.array(
    z.object({
      instance_ptr: z.string().default(''),
      messages: z.array(
        z.object({
          id: z.int().default(0),
          text: z.string().default(''),
          type: z.string().default('info'),
          context: z.record(z.string(), json).optional(),
        }),
      ),
    }),
  ),
})

/** Absent members stay. */
const patchSchema = z.object({
  traits: z
    .record(z.string(), json)
    .transform((traits) => traits as JsonObject)
    .optional(),
  schema_id: z.string().optional(),
  state: z.enum(['active', 'inactive']).optional(),
  verifiable_addresses: z
    .array(z.object({ value: z.string(), verified: z.boolean().default(false) }))
    .optional(),
  metadata_public: json.optional(),
  metadata_admin: json.optional(),
  external_id: z.string().nullable().optional(),
})

export type IdentityPatch = z.output<typeof patchSchema>

/**
 * Throws `HookRefusal` if an interrupting hook refuses, an `Error` if its response is unreadable, and 502 for any
 * other status, also for redirects.
 */
export async function readAnswer(hook: WebHook, response: Response): Promise<IdentityPatch | undefined> {
  const { status } = response
  const refuses = status >= 400 && mayStop(hook)
  const changes = status === 200 && hook.response.parse
  if (refuses) throw refusalOf(status, await readJson(response))
  if (changes) return patchOf(await readJson(response))
  await response.body?.cancel()
  if (response.ok) return undefined
  const reason = 'Another service sent an invalid response. Please try again later.'
  throw new ProtocolError({ status: 502, reason, cause: `it responded with ${status}` })
}

function refusalOf(status: number, answer: unknown): Error {
  const { data } = refusalSchema.safeParse(answer)
  const entries = (data?.messages ?? []).flatMap(({ instance_ptr, messages }) => {
    const field = fieldOf(instance_ptr)
    return messages.map(({ id, text, type, context }): FieldMessage => {
      const message = { id, text, type: type === 'error' ? ('error' as const) : ('info' as const) }
      return {
        message: context ? { ...message, context } : message,
        verbatim: true,
        ...(field === '' ? {} : { field }),
      }
    })
  })
  return entries.length > 0
    ? new HookRefusal(entries)
    : new Error(`it responded with ${status} without messages`)
}

/** Kratos also accepts the plain field name. */
function fieldOf(pointer: string): string {
  return pointer.startsWith('#/') ? pointerSteps(pointer).join('.') : pointer
}

function patchOf(answer: unknown): IdentityPatch | undefined {
  const { success, data } = z.object({ identity: patchSchema.nullish() }).nullable().safeParse(answer)
  if (!success) throw new Error('the identity in its response is invalid')
  return data?.identity ?? undefined
}

const LARGEST = 1024 * 1024
const BOUNDS = { depth: 64, values: 5_000 }

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = (await readCapped(response.body, LARGEST)).toString('utf8')
    if (brokenBound(text, BOUNDS))
      throw new Error('its response has too many values, or nests them too deeply')
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof RangeError) throw new Error('its response is larger than 1 MB')
    if (error instanceof SyntaxError) throw new Error('its response is not valid JSON')
    throw error
  }
}
