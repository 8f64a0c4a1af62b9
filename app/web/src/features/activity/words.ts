import { activityTexts as texts } from '../../texts/activity.ts'

export interface ActivityEvent {
  readonly id: string
  readonly event: string
  readonly outcome: 'ok' | 'refused'
  readonly method?: string | undefined
  readonly detail?: string | undefined
  readonly device: string
  readonly client_address: string
  readonly created_at: string
}

type Words = Readonly<Record<string, string>>

const methods: Words = texts.methods
const ends: Words = texts.ends
const events: Words = texts.events
const changes: Words = texts.changes

/** One sentence for an event; an unknown event keeps its name. */
export function describeEvent({ event, outcome, method = '', detail = '' }: ActivityEvent): string {
  switch (event) {
    case 'sign_in':
      return outcome === 'refused' ? texts.refused(methods[method]) : texts.signedIn(methods[method])
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
