import { useAuth } from '@ostiary/react'
import { createFileRoute, Link } from '@tanstack/react-router'

export const Route = createFileRoute('/')({ component: Home })

function Home() {
  const { session, isLoading, logout } = useAuth()
  if (isLoading) return <p>Loading …</p>
  if (!session)
    return (
      <p>
        <Link to="/login">Log in</Link> or <Link to="/register">sign up</Link>
      </p>
    )
  return (
    <>
      <h1>Hello, {session.identity?.traits.email}</h1>
      <Link to="/settings">Settings</Link>{' '}
      <button type="button" onClick={() => void logout()}>
        Log out
      </button>
    </>
  )
}
