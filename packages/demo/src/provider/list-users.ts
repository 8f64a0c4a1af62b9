import { z } from '@ostiary/ui'
import { request } from '@ostiary/ui/internal'
import { useQuery } from '@tanstack/react-query'
import type { Attempt } from './attempt.ts'

const user = z.object({
  id: z.string(),
  name: z.string(),
  email: z.optional(z.string()),
  email_verified: z.boolean(),
})

export type User = z.infer<typeof user>

/** The accounts at the demo provider, the newest first; an error when the attempt has expired. */
export function useUsers(attempt: Attempt) {
  return useQuery({
    queryKey: ['demo-users', attempt.provider.id, attempt.id],
    queryFn: () => listUsers(attempt),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function listUsers(attempt: Attempt): Promise<readonly User[]> {
  const { json } = await request(consentAddress(attempt))
  return z.parse(z.object({ users: z.array(user) }), json).users
}

export function consentAddress({ provider, id }: Attempt): string {
  return `/demo/api/consent/${provider.id}/${encodeURIComponent(id)}`
}
