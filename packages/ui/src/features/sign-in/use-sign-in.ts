import type { ContinueWith, LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { type UsedFlow, useAuth } from '@ostiary/react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useContinueAfterLogin } from '../../auth/visitors-only.tsx'
import { type CredentialsUse, useCredentialsSubmit } from '../../forms/credentials/use-credentials-submit.ts'
import { signInTexts } from './texts.ts'

export type LoginUse = UsedFlow<LoginFlow, UpdateLoginFlowBody>

export interface LinkedCode {
  readonly flowId: string
  readonly code: string
}

/** The code of an emailed link (`?flow=ID#code=123456`), which is then removed from the URL. */
export function useLinkedCode(): LinkedCode | undefined {
  const { search, hash, state } = useLocation()
  const navigate = useNavigate()
  const code = /^#code=(\d{6})$/.exec(hash)?.[1]
  const [linked, setLinked] = useState<LinkedCode>()
  if (code && code !== linked?.code)
    setLinked({ flowId: new URLSearchParams(search).get('flow') ?? '', code })
  useEffect(() => {
    if (code) void navigate({ search }, { replace: true, state })
  }, [code, search, state, navigate])
  return linked
}

export function useSignIn(login: LoginUse, credentials: CredentialsUse, extraFields?: () => object) {
  const continueFlow = useContinueFlow(login)
  return useCredentialsSubmit(login, credentials, {
    emailField: 'identifier',
    otherFields: () => [],
    failed: signInTexts.failed,
    build: ({ email, password }, csrf_token) => ({
      method: 'password',
      csrf_token,
      identifier: email,
      password,
    }),
    extraFields,
    onDone: continueFlow,
    onRefused() {
      // Keeps the address. The password may be wrong.
      credentials.write('password', '')
      credentials.focus('password')
    },
  })
}

export function useContinueFlow(login: LoginUse) {
  const continueAfterLogin = useContinueAfterLogin()
  const { refetch } = useAuth()
  const isConfirming = login.flow?.refresh === true
  return async (continueWith: readonly ContinueWith[]) => {
    const next = continueWith.find((item) => item.action === 'redirect_browser_to')
    // The service applies the pending change at that URL.
    if (isConfirming && next) return location.assign(next.redirect_browser_to)
    await refetch()
    await continueAfterLogin()
  }
}
