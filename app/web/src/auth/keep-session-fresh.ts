import type { Session } from '@ory/client-fetch'
import { useEffect, useState } from 'react'
import { type FoundSession, fetchSession } from './session.ts'
import { readClaims, readUserJwt } from './user-jwt-cookie.ts'

/** Milliseconds between attempts while the identity service is unavailable. */
const RECOVERY_INTERVAL = 4000
/** A timer of more than 2^31 ms fires at once. */
const LONGEST_WAIT = 2 ** 31 - 1

interface Known {
  readonly session: Session | null
  readonly isUnreachable: boolean
  keep(found: FoundSession): void
}

/**
 * Renews `user_jwt` before it expires and retries while the service is unavailable, without a loading state.
 * One tab renews; the others read its cookie.
 */
export function useFreshSession({ session, isUnreachable, keep }: Known): void {
  const [round, setRound] = useState(0)
  useEffect(() => {
    const wait = isUnreachable ? RECOVERY_INTERVAL : waitForRenewal(session)
    if (wait === undefined) return
    const renewNow = () =>
      void renew(session, isUnreachable)
        .then(keep, ignore)
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
  }, [session, isUnreachable, keep, round])
}

async function renew(session: Session | null, isUnreachable: boolean): Promise<FoundSession> {
  return await oneTabAtATime(async () => {
    if (!isUnreachable && isFresh(session)) return session
    return await fetchSession()
  })
}

/** Milliseconds until the token needs renewing, at about four fifths of its life. */
function waitForRenewal(session: Session | null): number | undefined {
  const { iat, exp } = readClaims(readUserJwt() ?? session?.tokenized)
  if (!session?.tokenized || iat === undefined || exp === undefined) return undefined
  const spread = 1 - 0.05 * Math.random()
  const renewAt = (iat + (exp - iat) * 0.8 * spread) * 1000
  return Math.min(Math.max(renewAt - Date.now(), RECOVERY_INTERVAL), LONGEST_WAIT)
}

function isFresh(session: Session | null): boolean {
  if (!session?.tokenized) return true
  const { sid, iat, exp } = readClaims(readUserJwt())
  if (iat === undefined || exp === undefined) return false
  if (sid !== undefined && sid !== session.id) return false
  return Date.now() < (iat + (exp - iat) * 0.75) * 1000
}

async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return await work()
  return await navigator.locks.request('user_jwt', work)
}

// The session stays until the next round asks again.
function ignore(): void {}
