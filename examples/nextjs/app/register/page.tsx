'use client'

import { useRegistration } from '@ostiary/react'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export default function Register() {
  return <FlowPage title="Sign up" form={useRegistration(useFlowOptions())} />
}
