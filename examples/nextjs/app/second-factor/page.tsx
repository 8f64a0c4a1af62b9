'use client'

import { useLogin } from '@ostiary/react'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export default function SecondFactor() {
  return <FlowPage title="One more step" form={useLogin({ ...useFlowOptions(), aal: 'aal2' })} />
}
