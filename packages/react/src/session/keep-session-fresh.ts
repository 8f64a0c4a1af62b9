import type { Session } from '@ory/client-fetch'
import { useEffect, useState } from 'react'
import { serverNow } from '../clock.ts'
import { type IdentityService, useService } from '../service.ts'
import { fetchSession, type SessionResult } from './session.ts'
import { readClaims, readUserJwt } from './user-jwt-cookie.ts'

/** Milliseconds between attempts while the identity service is unavailable. */
const RECOVERY_INTERVAL = 4000
/** A timer of more than 2^31 ms fires at once. */
const LONGEST_WAIT = 2 ** 31 - 1

interface Known {
  readonly session: Session | null
  readonly isUnreachable: boolean
  keepSession(session: SessionResult): void
}

/**
 * Renews `user_jwt` before it expires and retries while the service is unavailable, without a loading state.
 * One tab renews; the others read its cookie.
 */
export function useFreshSession({ session, isUnreachable, keepSession }: Known): void {
  const service = useService()
  const [round, setRound] = useState(0)
  useEffect(() => {
    const wait = isUnreachable ? RECOVERY_INTERVAL : waitForRenewal(session)
    if (wait === undefined) return
    const renewNow = () =>
      void renew(service, session, isUnreachable)
        .then(keepSession, ignore)
        .finally(() => setRound(round + 1))
    const timer = setTimeout(renewNow, wait)
    // Timers pause while the machine sleeps, and a sibling host may have replaced the cookie.
    const onShow = () => {
      if (document.visibilityState === 'visible' && !isFresh(session)) renewNow()
    }
    document.addEventListener('visibilitychange', onShow)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onShow)
    }
  }, [service, session, isUnreachable, keepSession, round])
}

async function renew(
  service: IdentityService,
  session: Session | null,
  isUnreachable: boolean,
): Promise<SessionResult> {
  return await oneTabAtATime(async () => {
    if (!isUnreachable && isFresh(session)) return session
    return await fetchSession(service)
  })
}

/** Milliseconds until the token needs renewing, at about four fifths of its life. */
function waitForRenewal(session: Session | null): number | undefined {
  const token = timesOf(readUserJwt() ?? session?.tokenized)
  if (!session?.tokenized || !token) return undefined
  const spread = 1 - 0.05 * Math.random()
  const longest = Math.min(token.life * 0.8 * spread, LONGEST_WAIT)
  return Math.max(Math.min(longest - token.age, longest), RECOVERY_INTERVAL)
}

function isFresh(session: Session | null): boolean {
  if (!session?.tokenized) return true
  const jwt = readUserJwt()
  const { sid } = readClaims(jwt)
  const token = timesOf(jwt)
  if (!token || (sid !== undefined && sid !== session.id)) return false
  // A token from the future shows that the browser's clock was set back since.
  return token.age > -0.05 * token.life && token.age < 0.75 * token.life
}

/** In milliseconds. */
function timesOf(jwt: string | undefined): { readonly age: number; readonly life: number } | undefined {
  const { iat, exp } = readClaims(jwt)
  if (iat === undefined || exp === undefined) return undefined
  return { age: serverNow() - iat * 1000, life: (exp - iat) * 1000 }
}

async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return await work()
  return await navigator.locks.request('user_jwt', work)
}

// The session stays until the next round asks again.
function ignore(): void {}
