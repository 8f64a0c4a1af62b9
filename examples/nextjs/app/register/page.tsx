'use client'

import { useRegistration } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInUrl } from '../use-flow-in-url.ts'

export default function Register() {
  const router = useRouter()
  const registration = useRegistration({
    ...useFlowInUrl(),
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
