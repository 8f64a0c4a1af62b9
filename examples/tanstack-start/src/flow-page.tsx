import type { AnyFlow, FlowFormOptions, FlowForm as Form, Next } from '@ostiary/react'
import { type NavigateOptions, useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { FlowForm } from '../../nextjs/app/flow-form.tsx'

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
  const navigate = useNavigate()
  const { flow: id } = useSearch({ from: '__root__' })
  const replace = (flow: string) => navigate({ to: '.', search: { flow }, replace: true })
  return { id, onFlowId: useCallback(replace, [navigate]), onNext }

  function onNext(next: Next): unknown {
    // The service asks again, and returns here.
    if (next.kind === 'confirm') return location.assign(next.url)
    return next.kind !== 'saved' && navigate(pageAfter(next))
  }
}

function pageAfter(next: Next): NavigateOptions {
  if (next.kind === 'sign-in') return { to: '/login' }
  if (next.kind === 'second-factor') return { to: '/second-factor' }
  if (next.kind === 'verify-first') return { to: '/verify', search: { flow: next.flowId } }
  const { verification, settings } = next.kind === 'done' ? next : {}
  if (verification) return { to: '/verify', search: { flow: verification } }
  return settings ? { to: '/settings', search: { flow: settings } } : { to: '/' }
}
