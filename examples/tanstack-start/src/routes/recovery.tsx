import { useRecovery } from '@ostiary/react'
import { createFileRoute } from '@tanstack/react-router'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export const Route = createFileRoute('/recovery')({ component: Recovery })

function Recovery() {
  return <FlowPage title="Forgot your password?" form={useRecovery(useFlowOptions())} />
}
