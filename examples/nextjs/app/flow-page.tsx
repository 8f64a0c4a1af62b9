import type { AnyFlow, FlowFormOptions, FlowForm as Form, Next } from '@ostiary/react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback } from 'react'
import { FlowForm } from './flow-form.tsx'

export function FlowPage({ title, form }: { title: string; form: Form<AnyFlow> }) {
  return (
    <>
      <h1>{title}</h1>
      <FlowForm form={form} />
    </>
  )
}

/** Keeps the flow in the address, so that a reload shows the same form, and leads to the next page. */
export function useFlowOptions(): FlowFormOptions {
  const router = useRouter()
  const path = usePathname()
  const id = useSearchParams().get('flow') ?? undefined
  const onFlowId = useCallback((flow: string) => router.replace(`${path}?flow=${flow}`), [router, path])
  return { id, onFlowId, onNext }

  function onNext(next: Next): void {
    // The service asks again, and returns here.
    if (next.kind === 'confirm') location.assign(next.url)
    else if (next.kind !== 'saved') router.push(addressAfter(next))
  }
}

function addressAfter(next: Next): string {
  if (next.kind === 'sign-in') return '/login'
  if (next.kind === 'second-factor') return '/second-factor'
  if (next.kind === 'verify-first') return `/verify?flow=${next.flowId}`
  const { verification, settings } = next.kind === 'done' ? next : {}
  if (verification) return `/verify?flow=${verification}`
  return settings ? `/settings?flow=${settings}` : '/'
}
