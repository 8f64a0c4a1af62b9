import { z } from 'zod'
import type { Role } from '../product/register.ts'

/** Only operators can change them. */
export function rolesOf(metadata_public: unknown, roles: readonly string[]): Role[] {
  const stored = storedRoles(metadata_public)
  return roles.filter((role): role is Role => stored.includes(role))
}

export function storedRoles(metadata_public: unknown): string[] {
  return metadata.safeParse(metadata_public).data?.roles ?? []
}

const metadata = z.object({ roles: z.array(z.string()) })
