import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { Next } from '../forms/next.ts'
import type { FlowForm, FlowFormOptions } from '../forms/use-flow-form.ts'
import { AuthProvider } from '../session/auth-provider.tsx'

type Hook = (options: FlowFormOptions) => FlowForm<never>

/** A rendering as a builder would write it. */
export function renderForm(use: unknown, method: string, place = {}, mayHaveSession?: () => boolean) {
  const service = { url: '/.ory', ...(mayHaveSession && { mayHaveSession }) }
  const next: Next[] = []
  let form: FlowForm<never> | undefined
  function Form() {
    form = (use as Hook)({ ...place, onNext: (one) => next.push(one) })
    const { status, messages, groups, onSubmit } = form
    const group = groups.find((one) => one.method === method)
    return (
      <form onSubmit={onSubmit}>
        <p>{status}</p>
        {messages.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
        {group?.fields.map(({ name, label, type, messages }) => (
          <label key={name}>
            <span>{label}</span>
            <input name={name} type={type} />
            {messages.map(({ id, text }) => (
              <em key={id}>{text}</em>
            ))}
          </label>
        ))}
        {group?.actions.map(({ name, value }) => (
          <button key={value} type="submit" name={name} value={value}>
            <span>{`Send ${value || name}`}</span>
          </button>
        ))}
      </form>
    )
  }
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider service={service}>
        <Form />
      </AuthProvider>
    </QueryClientProvider>,
  )
  return { next, unmount, form: () => form as FlowForm<never> }
}
