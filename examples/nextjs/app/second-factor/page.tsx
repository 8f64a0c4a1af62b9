'use client'

import { useLogin } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInAddress } from '../use-flow-in-address.ts'

export default function SecondFactor() {
  const router = useRouter()
  const onNext = () => router.push('/')
  const login = useLogin({ ...useFlowInAddress(), aal: 'aal2', onNext })
  return (
    <>
      <h1>One more step</h1>
      <FlowForm form={login} />
    </>
  )
}
