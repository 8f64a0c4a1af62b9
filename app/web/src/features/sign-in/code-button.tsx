import { useState } from 'react'
import { type CredentialsUse, takeEmail } from '../../flow/use-credentials-form.ts'
import { signInCodeTexts as texts } from '../../texts/entry.ts'
import { Button } from '../../ui/button.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { useCodeSignIn } from './use-code-sign-in.ts'
import type { LoginUse } from './use-sign-in.ts'

interface CodeButtonProps {
  login: LoginUse
  credentials: CredentialsUse
  along(): object
}

/** Requests a code for the address in the form. */
export function CodeButton({ login, credentials, along }: CodeButtonProps) {
  const { sendCode } = useCodeSignIn(login, along)
  const [isBusy, setBusy] = useState(false)

  async function send() {
    const email = takeEmail(credentials)
    if (!email) return
    setBusy(true)
    const failure = await sendCode(email)
    setBusy(false)
    if (failure) credentials.fail(failure.message)
  }

  return (
    <Button look="neutral" full busy={isBusy ? texts.sending : undefined} onClick={() => void send()}>
      <MailIcon />
      {texts.send}
    </Button>
  )
}
