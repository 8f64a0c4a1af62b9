'use client'

import { useRecovery } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInUrl } from '../use-flow-in-url.ts'

export default function Recovery() {
  const router = useRouter()
  const recovery = useRecovery({
    ...useFlowInUrl(),
    onNext: (next) =>
      router.push(next.kind === 'done' && next.settings ? `/settings?flow=${next.settings}` : '/'),
  })
  return (
    <>
      <h1>Forgot your password?</h1>
      <FlowForm form={recovery} />
    </>
  )
}
