import { useLogin } from '@ostiary/react'
import { createFileRoute, Link } from '@tanstack/react-router'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export const Route = createFileRoute('/login')({ component: Login })

function Login() {
  return (
    <>
      <FlowPage title="Log in" form={useLogin(useFlowOptions())} />
      <Link to="/register">Sign up</Link> <Link to="/recovery">Forgot password?</Link>
    </>
  )
}
