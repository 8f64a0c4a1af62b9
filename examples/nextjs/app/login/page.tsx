'use client'

import { type Next, useLogin } from '@ostiary/react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInUrl } from '../use-flow-in-url.ts'

export default function Login() {
  const router = useRouter()
  const login = useLogin({ ...useFlowInUrl(), onNext: (next) => router.push(addressAfter(next)) })
  return (
    <>
      <h1>Log in</h1>
      <FlowForm form={login} />
      <Link href="/register">Sign up</Link> <Link href="/recovery">Forgot password?</Link>
    </>
  )
}

function addressAfter(next: Next): string {
  if (next.kind === 'second-factor') return '/second-factor'
  return next.kind === 'verify-first' ? `/verify?flow=${next.flowId}` : '/'
}
