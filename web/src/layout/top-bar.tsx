import { Link, NavLink, useNavigate } from 'react-router'
import { useAuth } from '../auth/use-auth.ts'
import { AppMark } from '../ui/icons.tsx'

const links = [
  { to: '/', name: 'Home' },
  { to: '/dashboard', name: 'Dashboard' },
  { to: '/about', name: 'About' },
] as const

export function TopBar() {
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 flex-wrap items-center justify-between gap-x-1 max-[24rem]:px-3 max-[24rem]:tracking-tight">
        <Link
          to="/"
          className="flex min-h-11 items-center gap-2 rounded-small font-semibold tracking-tight max-[24rem]:text-14"
        >
          <span className="max-[24rem]:hidden">
            <AppMark />
          </span>
          My App
        </Link>
        <nav aria-label="Main" className="flex flex-wrap items-center sm:ml-auto sm:gap-2">
          {links.map(({ to, name }) => (
            <NavLink key={to} to={to} end className={linkLook}>
              {name}
            </NavLink>
          ))}
        </nav>
        <SessionControl />
      </div>
    </header>
  )
}

/** Login or Logout; while nobody knows which, only their place. */
function SessionControl() {
  const { isAuthenticated, isLoading, isUnreachable } = useAuth()
  const isUnknown = isLoading && !isAuthenticated && !isUnreachable
  return (
    <div className="-mr-1 flex min-w-13 justify-end sm:-mr-2 sm:ml-2 sm:min-w-20">
      {isUnknown ? null : isAuthenticated ? (
        <LogoutButton />
      ) : (
        <NavLink to="/login" className={control}>
          Login
        </NavLink>
      )}
    </div>
  )
}

function LogoutButton() {
  const { logout } = useAuth()
  const navigate = useNavigate()
  async function onClick() {
    try {
      await logout()
      await navigate('/')
    } catch (error) {
      console.error(error)
    }
  }
  return (
    <button type="button" onClick={() => void onClick()} className={control}>
      Logout
    </button>
  )
}

const target =
  'inline-flex min-h-11 items-center rounded-small text-14 transition-colors max-[24rem]:px-1 px-1.5 sm:px-2'
const control = `${target} font-medium text-accent hover:text-accent-strong`

function linkLook({ isActive }: { isActive: boolean }): string {
  return `${target} ${isActive ? 'font-medium text-ink underline decoration-accent decoration-2 underline-offset-8' : 'text-muted hover:text-ink'}`
}
