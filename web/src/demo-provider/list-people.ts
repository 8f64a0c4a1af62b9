import { useQuery } from '@tanstack/react-query'
import { getJson } from '../request.ts'
import { z } from '../schema.ts'
import type { Attempt } from './attempt.ts'

const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.optional(z.string()),
  email_verified: z.boolean(),
})

export type Person = z.infer<typeof person>

/** Who has an account at the demo provider, the last one first; an error when the attempt is over. */
export function usePeople(attempt: Attempt) {
  return useQuery({
    queryKey: ['demo-people', attempt.provider, attempt.id],
    queryFn: () => listPeople(attempt),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function listPeople(attempt: Attempt): Promise<readonly Person[]> {
  const { json } = await getJson(consentAddress(attempt))
  return z.parse(z.object({ people: z.array(person) }), json).people
}

export function consentAddress({ provider, id }: Attempt): string {
  return `/demo/api/consent/${provider}/${encodeURIComponent(id)}`
}
