'use client'

import { useVerification } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm, useFlowInAddress } from '../flow-form.tsx'

export default function Verify() {
  const router = useRouter()
  const verification = useVerification({ ...useFlowInAddress(), onNext: () => router.push('/login') })
  return (
    <>
      <h1>Enter the code from the email</h1>
      <FlowForm form={verification} />
    </>
  )
}
