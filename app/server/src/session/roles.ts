import { z } from 'zod'

export const roles = ['admin', 'editor'] as const

export type Role = (typeof roles)[number]

/** The roles in the `metadata_public` of an account, which only operators can change. */
export function rolesOf(metadata_public: unknown): Role[] {
  const stored = storedRoles(metadata_public)
  return roles.filter((role) => stored.includes(role))
}

/** Includes roles that the product no longer has. */
export function storedRoles(metadata_public: unknown): string[] {
  return metadata.safeParse(metadata_public).data?.roles ?? []
}

const metadata = z.object({ roles: z.array(z.string()) })
