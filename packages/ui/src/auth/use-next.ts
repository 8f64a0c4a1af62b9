import type { Next } from '@ostiary/react'
import { useNavigate } from 'react-router'
import { useReturnTarget } from '../flow/return-target.tsx'
import * as paths from '../paths.ts'
import { leaveFor } from '../ui/browser.ts'
import { useContinueAfterLogin } from './visitors-only.tsx'

/**
 * Where a form leads: to the next step, or to the page that the user wanted.
 *
 * @example const login = useLogin({ ...useFlowInUrl(), onNext: useNext() })
 */
export function useNext(): (next: Next) => Promise<void> {
  const navigate = useNavigate()
  const returnTarget = useReturnTarget()
  const continueAfterLogin = useContinueAfterLogin()
  return async (next) => {
    switch (next.kind) {
      case 'done':
        if (next.verification)
          return await navigate(paths.verification(next.verification), { state: returnTarget })
        if (next.settings)
          return await navigate(`${paths.newPassword}&flow=${next.settings}`, {
            replace: true,
            state: returnTarget,
          })
        return await continueAfterLogin()
      case 'saved':
        return
      case 'already-signed-in':
        return await continueAfterLogin()
      case 'second-factor':
        return await navigate(paths.secondFactor, { replace: true, state: returnTarget })
      case 'verify-first':
        return await navigate(paths.verification(next.flowId), {
          state: { ...returnTarget, unverified: true },
        })
      case 'sign-in':
        return await navigate(paths.login, { replace: true, state: returnTarget })
      case 'confirm':
        return leaveFor(next.url)
    }
  }
}
