// The recipe of docs/building.md: a login page with other markup.
import { useLogin } from '@ostiary/react'
import {
  Button,
  CheckboxField,
  Field,
  FormLink,
  FormPage,
  PageHeading,
  useFlowInUrl,
  useNext,
} from '../index.ts'

// biome-ignore lint/style/noDefaultExport: a page of a product
export default function Login() {
  const { messages, groups, onSubmit } = useLogin({ ...useFlowInUrl(), onNext: useNext() })
  return (
    <FormPage>
      <PageHeading small>Login</PageHeading>
      {messages.map(({ id, text }) => (
        <p key={id} role="alert">
          {text}
        </p>
      ))}
      {groups.map(({ method, fields, actions }) => (
        <form key={method} onSubmit={onSubmit} className="grid gap-4 py-4">
          {fields.map(({ name, type, label }) => {
            const Control = type === 'checkbox' ? CheckboxField : Field
            return <Control key={name} id={method + name} name={name} type={type} label={label} />
          })}
          {actions.map(({ name, value, label }) => (
            <Button key={name + value} type="submit" name={name} value={value} full>
              {label}
            </Button>
          ))}
        </form>
      ))}
      <FormLink to="/recovery">Forgot password?</FormLink>
    </FormPage>
  )
}
