'use client'

import type { AnyFlow, FlowForm, FlowPlace } from '@ostiary/react'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useCallback } from 'react'

interface MethodFormProps {
  form: FlowForm<AnyFlow>
  /** `password`, `code` … */
  method: string
  button: string
}

/** The fields of one method, in plain HTML. */
export function MethodForm({ form, method, button }: MethodFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit(method, new FormData(event.currentTarget))
      }}
    >
      {form.status === 'unreachable' && (
        <p role="alert">The login service does not answer. Please try again.</p>
      )}
      {form.refusal !== undefined && (
        <p role="alert">{typeof form.refusal === 'string' ? form.refusal : form.refusal.text}</p>
      )}
      {form.messages.map(({ id, text }) => (
        <p key={id} role="alert">
          {text}
        </p>
      ))}
      {form.fields(method).map(({ name, label, type, required, autocomplete, value, messages }) => (
        <p key={name}>
          <label>
            <span>{label}</span>{' '}
            <input
              name={name}
              type={type}
              required={required}
              autoComplete={autocomplete}
              defaultValue={typeof value === 'string' ? value : undefined}
            />
          </label>
          {messages.map(({ id, text }) => (
            <strong key={id}> {text}</strong>
          ))}
        </p>
      ))}
      <button type="submit" disabled={form.status === 'loading' || form.status === 'submitting'}>
        {button}
      </button>
    </form>
  )
}

/** Keeps the flow in the address, so that a reload shows the same form. */
export function useFlowInAddress(): FlowPlace {
  const router = useRouter()
  const path = usePathname()
  const id = useSearchParams().get('flow') ?? undefined
  const name = useCallback((flow: string) => router.replace(`${path}?flow=${flow}`), [router, path])
  return { id, name }
}
