import type { LoginFlow } from '@ory/client-fetch'
import type { FlowForm } from '@ostiary/react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import {
  type CredentialsFormState,
  useCredentialsSubmit,
} from '../../forms/credentials/use-credentials-submit.ts'
import { signInTexts } from './texts.ts'

export type LoginFlowForm = FlowForm<LoginFlow>

/** The code of an emailed link (`?flow=ID#code=123456`), which is then removed from the URL. */
export function useLinkedCode() {
  const { search, hash, state } = useLocation()
  const navigate = useNavigate()
  const code = /^#code=(\d{6})$/.exec(hash)?.[1]
  const [linked, setLinked] = useState<{ flowId: string; code: string }>()
  if (code && code !== linked?.code)
    setLinked({ flowId: new URLSearchParams(search).get('flow') ?? '', code })
  useEffect(() => {
    if (code) void navigate({ search }, { replace: true, state })
  }, [code, search, state, navigate])
  return linked
}

export function useSignIn(
  login: LoginFlowForm,
  credentials: CredentialsFormState,
  onSubmit?: (email: string) => void,
) {
  return useCredentialsSubmit(login, credentials, {
    emailField: 'identifier',
    failed: signInTexts.failed,
    onSubmit,
    onRefused() {
      // Keeps the address. The password may be wrong.
      credentials.write('password', '')
      credentials.focus('password')
    },
  })
}
