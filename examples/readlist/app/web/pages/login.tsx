import { FormLink, LoginForm } from '@ostiary/ui'
import { loginTexts as texts } from '../../texts.ts'

export default function Login() {
  return (
    <LoginForm title={texts.title} submit={texts.submit}>
      <span>{texts.isNew}</span> <FormLink to="/register">{texts.signUp}</FormLink>
    </LoginForm>
  )
}
