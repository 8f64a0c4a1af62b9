'use client'

import { useRegistration } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm, useFlowInAddress } from '../flow-form.tsx'

export default function Register() {
  const router = useRouter()
  const registration = useRegistration({
    ...useFlowInAddress(),
    onNext: (next) =>
      router.push(next.kind === 'done' && next.verification ? `/verify?flow=${next.verification}` : '/'),
  })
  return (
    <>
      <h1>Sign up</h1>
      <FlowForm form={registration} />
    </>
  )
}
