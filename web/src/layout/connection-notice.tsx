import { useAuth } from '../auth/use-auth.ts'

/** Floats over the page, so that nothing moves when it comes and goes. */
export function ConnectionNotice() {
  const { isUnreachable, refetch } = useAuth()
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-10 grid justify-items-center p-4"
    >
      {isUnreachable && (
        <div className={card}>
          <p>Sign-in does not answer right now. We keep trying.</p>
          <button type="button" onClick={() => void refetch()} className="link min-h-11">
            Try again
          </button>
        </div>
      )}
    </div>
  )
}

const card =
  'animate-arrive pointer-events-auto flex flex-wrap items-center gap-x-4 rounded-field border border-edge bg-surface px-4 py-1 text-14'
