'use client'

import { useAuth } from '@ostiary/react'
import Link from 'next/link'

export default function Home() {
  const { session, isLoading, logout } = useAuth()
  if (isLoading) return <p>Loading …</p>
  if (!session)
    return (
      <p>
        <Link href="/login">Log in</Link> or <Link href="/register">sign up</Link>
      </p>
    )
  return (
    <>
      <h1>Hello, {session.identity?.traits.email}</h1>
      <Link href="/settings">Settings</Link>{' '}
      <button type="button" onClick={() => void logout()}>
        Log out
      </button>
    </>
  )
}
