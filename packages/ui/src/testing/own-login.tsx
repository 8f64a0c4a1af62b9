// The recipe of docs/building.md: a login page with other markup.
import { useLogin } from '@ostiary/react'
import { FormPage, useFlowInUrl, useNext } from '../index.ts'

// biome-ignore lint/style/noDefaultExport: a page of a product
export default function Login() {
  const login = useLogin({ ...useFlowInUrl(), onNext: useNext() })
  return (
    <FormPage>
      {login.messages.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
      {login.groups.map(({ method, fields, actions }) => (
        <form key={method} onSubmit={login.onSubmit}>
          {fields.map(({ name, type, label }) => (
            <label key={name}>
              <span>{label}</span> <input name={name} type={type} />
            </label>
          ))}
          {actions.map(({ name, value, label }) => (
            <button key={name + value} type="submit" name={name} value={value}>
              {label}
            </button>
          ))}
        </form>
      ))}
    </FormPage>
  )
}
