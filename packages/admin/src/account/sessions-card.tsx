import { deviceName } from '@ostiary/identity/devices/device-name'
import { Badge, Rows, Time } from '@ostiary/ui'
import { CardEntry, Dotted } from '@ostiary/ui/internal'
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
      <Records query={query} heights={['h-24']} empty={<p className="text-14 text-muted">{texts.none}</p>}>
        {(sessions) => (
          <Rows inCard>
            {sessions.map((one) => (
              <li key={one.id}>
                <SessionRow session={one} />
              </li>
            ))}
          </Rows>
        )}
      </Records>
    </ActionCard>
  )
}

function SessionRow({ session }: { session: Session }) {
  const [device] = session.devices
  return (
    <CardEntry
      title={deviceName(device?.user_agent).name}
      fact={
        <Dotted
          parts={[
            <Time key="time" words={texts.signedIn} of={session.authenticated_at} />,
            levels[session.authenticator_assurance_level],
            // Without the brackets of IPv6 and the client's port.
            device?.ip_address?.replace(/\[(.+)\].*|(\..+):.*/, '$1$2'),
          ]}
        />
      }
      action={
        <Badge tone={session.active ? 'done' : 'plain'}>{session.active ? texts.live : texts.ended}</Badge>
      }
    />
  )
}
