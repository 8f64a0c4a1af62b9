import { useVerification } from '@ostiary/react'
import { createFileRoute } from '@tanstack/react-router'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export const Route = createFileRoute('/verify')({ component: Verify })

function Verify() {
  const navigate = Route.useNavigate()
  const form = useVerification({ ...useFlowOptions(), onNext: () => navigate({ to: '/login' }) })
  return <FlowPage title="Enter the code from the email" form={form} />
}
