'use client'

import { useVerification } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInAddress } from '../use-flow-in-address.ts'

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
