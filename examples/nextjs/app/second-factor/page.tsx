'use client'

import { useLogin } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInUrl } from '../use-flow-in-url.ts'

export default function SecondFactor() {
  const router = useRouter()
  const onNext = () => router.push('/')
  const login = useLogin({ ...useFlowInUrl(), aal: 'aal2', onNext })
  return (
    <>
      <h1>One more step</h1>
      <FlowForm form={login} />
    </>
  )
}
