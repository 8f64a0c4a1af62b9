'use client'

import { useLogin } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm, useFlowInAddress } from '../flow-form.tsx'

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
