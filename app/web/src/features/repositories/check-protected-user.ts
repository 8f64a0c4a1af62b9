import { useQuery } from '@tanstack/react-query'
import { getJson } from '../../request.ts'

/** Calls the product's protected endpoint; the dashboard has no use for the answer. */
export function useProtectedUser(): void {
  useQuery({ queryKey: ['testep'], queryFn: async () => (await getJson('/api/v1/cash/protected_user')).json })
}
