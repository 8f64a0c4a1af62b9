'use client'

import type { AnyFlow, FlowForm as Form, FormField } from '@ostiary/react'

/** Any form of the protocol, in plain HTML. */
export function FlowForm({ form }: { form: Form<AnyFlow> }) {
  const isBusy = form.status === 'loading' || form.status === 'submitting'
  return (
    <>
      {form.status === 'unreachable' && (
        <p role="alert">The login service does not answer. Please try again.</p>
      )}
      {form.messages.map(({ id, text }) => (
        <p key={id} role="alert">
          {text}
        </p>
      ))}
      {form.passkeyProblem === 'failed' && <p role="alert">That passkey did not work.</p>}
      {form.groups.map(({ method, fields, actions, images, texts }) => (
        <form key={method} onSubmit={form.onSubmit}>
          {images.map(({ id, src, width, height }) => (
            // biome-ignore lint/performance/noImgElement: a data URL needs no optimization
            <img key={id} src={src} width={width} height={height} alt="QR code" />
          ))}
          {texts.map(({ id, label, text }) => (
            <p key={id}>
              <span>{label}</span> <code>{text}</code>
            </p>
          ))}
          {fields.map((field) => (
            <Field key={field.name} {...field} />
          ))}
          {actions.map(({ name, value, label }) => (
            <button key={name + value} type="submit" name={name} value={value} disabled={isBusy}>
              {label}
            </button>
          ))}
        </form>
      ))}
    </>
  )
}

function Field({ name, label, type, required, autocomplete, value, messages }: FormField) {
  const given = type === 'checkbox' ? { defaultChecked: value === true } : { defaultValue: value }
  return (
    <p>
      <label>
        <span>{label}</span>{' '}
        <input name={name} type={type} required={required} autoComplete={autocomplete} {...given} />
      </label>
      {messages.map(({ id, text }) => (
        <strong key={id}> {text}</strong>
      ))}
    </p>
  )
}
