import type { Session } from '@ory/client-fetch'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useAuth } from '../../auth/use-auth.ts'
import { identityClient } from '../../flow/client.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { describeDevice } from './describe-device.ts'

const queryKey = ['other-sessions']

/** Where the person is signed in, this device first, and the way to end that elsewhere. */
export function Devices() {
  const { session } = useAuth()
  const others = useQuery({ queryKey, queryFn: () => identityClient().listMySessions(), retry: false })
  const ending = useEnding()
  const list = others.data ?? []
  return (
    <div className="grid gap-4">
      <ul className="divide-y divide-line">
        {session && <DeviceRow session={session} />}
        {list.map((other) => (
          <DeviceRow key={other.id} session={other} ending={ending} />
        ))}
      </ul>
      {others.isError && (
        <FormError retry={() => void others.refetch()}>Your other devices could not be listed.</FormError>
      )}
      <FormError>
        {ending.isError ? 'That did not work: the device is still signed in.' : undefined}
      </FormError>
      {list.length > 0 && (
        <Button
          look="neutral"
          full
          busy={isEnding(ending, EVERYWHERE_ELSE) ? 'Signing out…' : undefined}
          onClick={() => ending.mutate(EVERYWHERE_ELSE)}
        >
          Sign out everywhere else
        </Button>
      )}
    </div>
  )
}

type Ending = ReturnType<typeof useEnding>

const EVERYWHERE_ELSE = ''

function useEnding() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      if (id === EVERYWHERE_ELSE) await identityClient().disableMyOtherSessions()
      else await identityClient().disableMySession({ id })
    },
    onSettled: () => cache.invalidateQueries({ queryKey }),
  })
}

function isEnding({ isPending, variables }: Ending, id: string): boolean {
  return isPending && variables === id
}

function DeviceRow({ session, ending }: { session: Session; ending?: Ending }) {
  const [device] = session.devices ?? []
  const name = describeDevice(device?.user_agent)
  const details = [session.authenticated_at && `Signed in ${dateOf(session)}`, addressOf(device?.ip_address)]
  return (
    <li className="flex min-h-14 items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-14 wrap-anywhere text-muted">{details.filter(Boolean).join(' · ')}</p>
      </div>
      {ending ? (
        <div className="-mr-4 shrink-0">
          <Button
            look="quiet"
            busy={isEnding(ending, session.id) ? 'Signing out…' : undefined}
            onClick={() => ending.mutate(session.id)}
          >
            <span className="text-14">
              Sign out <span className="sr-only">{name}</span>
            </span>
          </Button>
        </div>
      ) : (
        <p className="shrink-0 rounded-small bg-done-tint px-2 py-1 text-14 text-done forced-colors:border">
          This device
        </p>
      )}
    </li>
  )
}

/** The service puts the port behind the address, where IPv6 cannot be told from it. */
function addressOf(text: string | undefined): string | undefined {
  return /^\d+(\.\d+){3}/.exec(text ?? '')?.[0]
}

function dateOf({ authenticated_at }: Session): string {
  return authenticated_at?.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' }) ?? ''
}
