import type { ApiAnswer } from '../../api/request.ts'
import { CardEntry } from '../../ui/card.tsx'
import { Time } from '../../ui/format.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Dotted, Rows } from '../../ui/list.tsx'
import { activityTexts as texts } from './texts.ts'

interface ActivityRowsProps {
  /** Newest first. */
  events: readonly ActivityEvent[]
  inCard?: boolean
}

export function ActivityRows({ events, inCard = false }: ActivityRowsProps) {
  return (
    <Rows inCard={inCard}>
      {events.map((event, index) => (
        <li key={event.id}>
          <ActivityRow event={event} isAlarm={isAlarm(event, events.slice(0, index))} />
        </li>
      ))}
    </Rows>
  )
}

/** A refused login is the user's own mistake if the same device logged in soon after. */
function isAlarm(
  { outcome, created_at, device, client_address }: ActivityEvent,
  later: readonly ActivityEvent[],
) {
  if (outcome !== 'refused') return false
  const end = Date.parse(created_at) + MISTAKE_MS
  return !later.some(
    (one) =>
      one.event === 'sign_in' &&
      one.outcome === 'ok' &&
      one.device === device &&
      // Both are undefined on loopback.
      one.client_address === client_address &&
      Date.parse(one.created_at) <= end,
  )
}

const MISTAKE_MS = 15 * 60_000

function ActivityRow({ event, isAlarm }: { event: ActivityEvent; isAlarm: boolean }) {
  const { created_at, device, client_address } = event
  return (
    <CardEntry
      icon={<EventIcon event={event} isAlarm={isAlarm} />}
      title={describeEvent(event)}
      fact={<Dotted parts={[<Time key="time" of={created_at} />, device, client_address]} />}
    />
  )
}

const drawings = {
  in: 'M11.5 3.500h4v13h-4M3.5 10h8M8.5 6.500l3.5 3.5-3.5 3.5',
  out: 'M8.5 3.500h-4v13h4M8.5 10h8M13.5 6.500l3.5 3.5-3.5 3.5',
  key: 'M7 9.500a3.5 3.5 0 1 0 0 .1M10.5 9.600h6.500v3M13.8 9.600v2',
  mail: 'M3 5h14v10.500H3zM3.5 5.800l6.5 5 6.5-5',
  user: 'M10 9.800a3.2 3.2 0 1 0-.1 0M4 16.800c.4-3.2 2.8-5 6-5s5.6 1.8 6 5',
  warning: 'M10 17.200a7.2 7.2 0 1 0-.1 0M10 6.400v4.200M10 13.400v.1',
} as const

function EventIcon({ event, isAlarm }: { event: ActivityEvent; isAlarm: boolean }) {
  const kind = isAlarm ? 'warning' : (kinds[event.event] ?? 'user')
  return (
    <Icon className={`size-5 ${kind === 'warning' ? 'text-danger' : ''}`}>
      <path d={drawings[kind]} />
    </Icon>
  )
}

const kinds: Readonly<Record<string, keyof typeof drawings>> = {
  sign_in: 'in',
  session_ended: 'out',
  credential_changed: 'key',
  recovery_by_operator: 'key',
  code_guessed: 'key',
  deletion_requested: 'warning',
  address_verified: 'mail',
  address_changed: 'mail',
  address_claimed: 'mail',
}

type ActivityEvent = ApiAnswer<'/account/activity'>[number]

type Words = Readonly<Record<string, string>>

const methods: Words = texts.methods
const means: Words = texts.means
const ends: Words = texts.ends
const events: Words = texts.events
const changes: Words = texts.changes

const SECOND_STEPS = ['totp', 'lookup_secret']

/** Describes an event. An unknown one keeps its name. */
function describeEvent({ event, outcome, method = '', detail = '' }: ActivityEvent): string {
  switch (event) {
    case 'sign_in':
      if (outcome === 'refused') return texts.refused(means[method])
      return texts[SECOND_STEPS.includes(method) ? 'secondStep' : 'signedIn'](means[method])
    case 'credential_changed':
      return credentialSentence(method, detail)
    case 'session_ended':
      return ends[detail] ?? texts.signedOut
    case 'recovery_by_operator':
      return method === 'link' ? texts.recoveryLink : texts.recoveryCode
    default:
      return events[event] ?? event.replaceAll('_', ' ')
  }
}

function credentialSentence(method: string, detail: string): string {
  const name = methods[method] ?? method
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${changes[detail] ?? texts.changes.changed}`
}
