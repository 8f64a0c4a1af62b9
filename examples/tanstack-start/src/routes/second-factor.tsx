import { useLogin } from '@ostiary/react'
import { createFileRoute } from '@tanstack/react-router'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export const Route = createFileRoute('/second-factor')({ component: SecondFactor })

function SecondFactor() {
  return <FlowPage title="One more step" form={useLogin({ ...useFlowOptions(), aal: 'aal2' })} />
}
