'use client'

import { useRecovery } from '@ostiary/react'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export default function Recovery() {
  return <FlowPage title="Forgot your password?" form={useRecovery(useFlowOptions())} />
}
