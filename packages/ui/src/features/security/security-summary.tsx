import { readSettings } from '../../api/env.ts'
import { type CredentialDetails, useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.summary

/** The last backup codes are worth a reminder. */
export const FEW_CODES = 3

interface Offered {
  readonly passkeys: boolean
  readonly app: boolean
}

export function SecuritySummary({ offers }: { offers: Offered }) {
  const { known } = useCredentialDetails()
  if (!readSettings().account_api) return null
  const sentences = known && sentencesOn(known, offers)
  return <p>{sentences ?? <UsualSummary />}</p>
}

/** Keeps the cards below in their place. */
export function UsualSummary() {
  return (
    <span aria-hidden="true" className="invisible">{`${texts.state(1, false)} ${texts.next.passkey}`}</span>
  )
}

function sentencesOn(known: CredentialDetails, offers: Offered) {
  const { password, passkeys, connections, totp } = known
  const ways = (password ? 1 : 0) + passkeys.length + connections.length
  // An account that logs in with emailed codes has no credential.
  if (ways === 0) return undefined
  const advice = adviceFor(known, ways, offers)
  return (
    <>
      <span>{texts.state(ways, totp !== undefined)}</span>{' '}
      <span className="text-muted">{advice ? texts.next[advice] : texts.done}</span>
    </>
  )
}

function adviceFor(
  known: CredentialDetails,
  ways: number,
  offers: Offered,
): keyof typeof texts.next | undefined {
  const { password, passkeys, totp, backup_codes } = known
  if (offers.passkeys && passkeys.length === 0) return 'passkey'
  if (ways === 1 && !password) return 'secondWay'
  if (password && offers.app && !totp) return 'app'
  if (totp && (backup_codes?.left ?? 0) <= FEW_CODES) return 'codes'
  return undefined
}
