import { Badge } from '../../ui/card.tsx'
import { Time } from '../../ui/format.tsx'
import { Dotted } from '../../ui/list.tsx'
import { Records } from '../admin-screen.tsx'
import { usePages } from '../call.ts'
import { type Account, type Session, session } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { ActionCard } from './action-card.tsx'
import { signOutEverywhere } from './change-account.ts'

const texts = adminAccountTexts.sessions
const levels: Readonly<Record<string, string>> = texts.levels

export function SessionsCard({ account: { id } }: { account: Account }) {
  const query = usePages(['account', id, 'sessions'], `/identities/${id}/sessions`, session)
  const mayBeLive = query.hasNextPage || query.data?.some(({ active }) => active)
  return (
    <ActionCard
      title={texts.title}
      button={mayBeLive ? texts.signOut : undefined}
      question={texts}
      run={() => signOutEverywhere(id)}
      done={texts.signedOut}
    >
      <Records query={query} heights={['h-24']} none={<p className="text-14 text-muted">{texts.none}</p>}>
        {(sessions) => (
          <ul className="divide-y divide-line">
            {sessions.map((one) => (
              <SessionRow key={one.id} session={one} />
            ))}
          </ul>
        )}
      </Records>
    </ActionCard>
  )
}

function SessionRow({ session }: { session: Session }) {
  const [device] = session.devices
  return (
    <li className="flex items-start gap-4 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 text-14">
        <p className="line-clamp-1 font-medium wrap-anywhere" title={device?.user_agent}>
          {device?.user_agent || texts.unknown}
        </p>
        <div className="text-muted">
          <Dotted
            parts={[
              <Time key="time" words={texts.signedIn} of={session.authenticated_at} />,
              levels[session.authenticator_assurance_level],
              device?.ip_address,
            ]}
          />
        </div>
      </div>
      <Badge tone={session.active ? 'done' : 'plain'}>{session.active ? texts.live : texts.ended}</Badge>
    </li>
  )
}
