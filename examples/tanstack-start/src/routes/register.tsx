import { useRegistration } from '@ostiary/react'
import { createFileRoute } from '@tanstack/react-router'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export const Route = createFileRoute('/register')({ component: Register })

function Register() {
  return <FlowPage title="Sign up" form={useRegistration(useFlowOptions())} />
}
