import { useSettings } from '@ostiary/react'
import { createFileRoute } from '@tanstack/react-router'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export const Route = createFileRoute('/settings')({ component: Settings })

function Settings() {
  return <FlowPage title="Settings" form={useSettings(useFlowOptions())} />
}
