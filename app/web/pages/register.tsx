import { FormLink, RegisterForm } from '@ostiary/ui'
import { registerTexts as texts } from '../../texts.ts'

export default function Register() {
  return (
    <RegisterForm title={texts.title} submit={texts.submit}>
      <span>{texts.isKnown}</span> <FormLink to="/login">{texts.signIn}</FormLink>
    </RegisterForm>
  )
}
