'use client'

import { useVerification } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export default function Verify() {
  const router = useRouter()
  const form = useVerification({ ...useFlowOptions(), onNext: () => router.push('/login') })
  return <FlowPage title="Enter the code from the email" form={form} />
}
