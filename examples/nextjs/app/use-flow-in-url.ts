import type { FlowLocation } from '@ostiary/react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

/** Keeps the flow in the address, so that a reload shows the same form. */
export function useFlowInUrl(): FlowLocation {
  const router = useRouter()
  const path = usePathname()
  const id = useSearchParams().get('flow') ?? undefined
  const onFlowId = useCallback((flow: string) => router.replace(`${path}?flow=${flow}`), [router, path])
  return { id, onFlowId }
}
