'use client'

import { useVerification } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInUrl } from '../use-flow-in-url.ts'

export default function Verify() {
  const router = useRouter()
  const verification = useVerification({ ...useFlowInUrl(), onNext: () => router.push('/login') })
  return (
    <>
      <h1>Enter the code from the email</h1>
      <FlowForm form={verification} />
    </>
  )
}
