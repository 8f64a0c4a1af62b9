'use client'

import { type Next, useLogin } from '@ostiary/react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { MethodForm, useFlowInAddress } from '../method-form.tsx'

export default function Login() {
  const router = useRouter()
  const login = useLogin({ ...useFlowInAddress(), onNext: (next) => router.push(addressAfter(next)) })
  return (
    <>
      <h1>Log in</h1>
      <MethodForm form={login} method="password" button="Log in" />
      {login.providers.map(({ id, label }) => (
        <button key={id} type="button" onClick={() => void login.submit('oidc', { provider: id })}>
          {label}
        </button>
      ))}
      <Link href="/register">Sign up</Link>
    </>
  )
}

function addressAfter(next: Next): string {
  return next.kind === 'verify-first' ? `/verify?flow=${next.flowId}` : '/'
}
