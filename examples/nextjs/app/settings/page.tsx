'use client'

import { useSettings } from '@ostiary/react'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export default function Settings() {
  return <FlowPage title="Settings" form={useSettings(useFlowOptions())} />
}
