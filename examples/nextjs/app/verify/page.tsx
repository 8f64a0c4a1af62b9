'use client'

import { useVerification } from '@ostiary/react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { MethodForm, useFlowInAddress } from '../method-form.tsx'

export default function Verify() {
  const router = useRouter()
  const verification = useVerification({ ...useFlowInAddress(), onNext: () => router.push('/') })
  if (verification.flow?.state === 'passed_challenge')
    return (
      <>
        <h1>Your address is verified</h1>
        <Link href="/login">Log in</Link>
      </>
    )
  return (
    <>
      <h1>Enter the code from the email</h1>
      <MethodForm form={verification} method="code" button="Verify" />
    </>
  )
}
