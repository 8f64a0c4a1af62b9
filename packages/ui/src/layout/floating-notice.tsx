import { useAuth } from '@ostiary/react'
import { useLocation } from 'react-router'
import * as paths from '../paths.ts'
import { loginPathFor } from '../routes.ts'
import { layoutTexts as texts } from '../texts/layout.ts'

interface FloatingNoticeProps {
  children: string | undefined
  onRetry(): void
}

/** Floats over the page, so that nothing moves when it appears. */
export function FloatingNotice({ children, onRetry }: FloatingNoticeProps) {
  return (
    <div
      role="status"
      data-floating
      className="pointer-events-none fixed inset-x-0 bottom-0 z-10 grid justify-items-center p-4"
    >
      {children && (
        <div className="pointer-events-auto flex flex-wrap items-center gap-x-4 rounded-field border border-edge bg-surface px-4 py-1 text-14">
          <p>{children}</p>
          <button type="button" onClick={onRetry} className="link min-h-11">
            {texts.again}
          </button>
        </div>
      )}
    </div>
  )
}

/** These pages show it in the form, and pages for logged-in users in their place. */
const formPaths: readonly string[] = [paths.login, paths.register, paths.verify, paths.recovery]

export function ConnectionNotice() {
  const { isUnreachable, refetch } = useAuth()
  const { pathname } = useLocation()
  const isShown = isUnreachable && !formPaths.includes(pathname) && loginPathFor(pathname) === undefined
  return (
    <FloatingNotice onRetry={() => void refetch()}>{isShown ? texts.unreachable : undefined}</FloatingNotice>
  )
}
