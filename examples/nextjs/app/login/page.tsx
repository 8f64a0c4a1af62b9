'use client'

import { useLogin } from '@ostiary/react'
import Link from 'next/link'
import { FlowPage, useFlowOptions } from '../flow-page.tsx'

export default function Login() {
  return (
    <>
      <FlowPage title="Log in" form={useLogin(useFlowOptions())} />
      <Link href="/register">Sign up</Link> <Link href="/recovery">Forgot password?</Link>
    </>
  )
}
