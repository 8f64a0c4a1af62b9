// The recipe of docs/building.md: a login page with markup of its own.
import { useLogin } from '@ostiary/react'
import { FormPage, useFlowInAddress, useNext } from '../index.ts'

// biome-ignore lint/style/noDefaultExport: a page of a product
export default function Login() {
  const login = useLogin({ ...useFlowInAddress(), onNext: useNext() })
  return (
    <FormPage>
      {login.messages.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
      {login.methods.map((method) => (
        <form
          key={method.name}
          onSubmit={(event) => {
            event.preventDefault()
            void login.submit(method.name, new FormData(event.currentTarget))
          }}
        >
          {login.fields(method.name).map(({ name, type, label }) => (
            <label key={name}>
              <span>{label}</span> <input name={name} type={type} />
            </label>
          ))}
          <button type="submit">{method.label}</button>
        </form>
      ))}
    </FormPage>
  )
}
