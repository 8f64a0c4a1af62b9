'use client'

import { type Next, useSettings } from '@ostiary/react'
import { useRouter } from 'next/navigation'
import { FlowForm } from '../flow-form.tsx'
import { useFlowInUrl } from '../use-flow-in-url.ts'

export default function Settings() {
  const router = useRouter()
  const settings = useSettings({ ...useFlowInUrl(), onNext })
  return (
    <>
      <h1>Settings</h1>
      <FlowForm form={settings} />
    </>
  )

  function onNext(next: Next): void {
    // The service asks again, and returns here.
    if (next.kind === 'confirm') location.assign(next.url)
    else if (next.kind === 'second-factor') router.push('/second-factor')
    else if (next.kind === 'sign-in') router.push('/login')
  }
}
