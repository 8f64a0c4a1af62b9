import type { Method } from '../../wire/flow.ts'
import type { Letter } from './email.ts'

export type Notice = `${NoticedCredential}_${'added' | 'changed' | 'removed'}` | keyof typeof OTHERS

export type NoticedCredential = keyof typeof CREDENTIALS

export interface NoticeData {
  readonly notice: Notice
  readonly url: string
  /** ISO 8601. */
  readonly at: string
  /** Such as `Chrome on Linux`. */
  readonly device?: string | undefined
  readonly ip_address?: string | undefined
  readonly provider?: string | undefined
}

export interface HeldNotices {
  readonly notice: Notice
  readonly times: number
  readonly first: string
  readonly last: string
  /** Such as `6 December 2026`. */
  readonly due?: string | undefined
}

export interface DigestData {
  readonly held: readonly HeldNotices[]
  readonly url: string
}

const CREDENTIALS = {
  password: 'password',
  totp: 'authenticator app',
  lookup_secret: 'set of backup codes',
  webauthn: 'security key',
  passkey: 'passkey',
  oidc: 'connected account',
} as const satisfies Record<Exclude<Method, 'code' | 'link' | 'profile' | 'identifier_first'>, string>

export const NOTICED_CREDENTIALS = Object.keys(CREDENTIALS) as readonly NoticedCredential[]

const OTHERS = {
  recovered: 'Your account was recovered with a code or link from your email',
  address: 'The email address of your account was changed',
  address_added: 'An email address or phone number was added to your account',
  new_device: 'A new device logged in to your account',
  deletion: 'The deletion of your account was requested',
  deletion_cancelled: 'The deletion of your account was cancelled',
} as const

/** Each topic has its own limit, so that many sign-ins cannot hide a new password (SEC-72). */
export function topicOf(notice: Notice): string {
  return notice.replace(/_(added|changed|removed|cancelled)$/, '')
}

export function noticeLetter(app_name: string, { notice, url, at, ...details }: NoticeData): Letter {
  const title = titleOf(notice)
  const { device, ip_address, provider } = details
  const isSignIn = notice === 'new_device' && device !== undefined
  return {
    subject: isSignIn
      ? `New login from ${device === 'An app' ? 'an app' : device} (${app_name})`
      : `${title} (${app_name})`,
    title,
    intro: `This happened at ${app_name} on ${moment(at)}.`,
    list: [
      ...(device === undefined ? [] : [`Device: ${device}`]),
      ...(ip_address === undefined ? [] : [`IP address: ${ip_address}`]),
      ...(provider === undefined ? [] : [`Logged in with: ${provider}`]),
    ],
    ...whatToDo(url),
  }
}

export function digestLetter(app_name: string, { held, url }: DigestData): Letter {
  const [only, ...others] = held
  const title = only && others.length === 0 ? titleOf(only.notice) : 'Recent activity in your account'
  return {
    subject: `${title} (${app_name})`,
    title,
    intro: `A lot happened at ${app_name} in a short time, so here is the rest in one email.`,
    list: held.map(heldLine),
    ...whatToDo(url),
  }
}

function heldLine({ notice, times, first, last, due }: HeldNotices): string {
  const title = titleOf(notice)
  const end = due === undefined ? '.' : `, for ${due}.`
  if (times === 1) return `${title} on ${moment(first)}${end}`
  return `${title} ${times.toLocaleString('en')} times, first on ${moment(first)}, last on ${moment(last)}${end}`
}

function whatToDo(url: string): Pick<Letter, 'link' | 'notes'> {
  return {
    link: {
      lead: 'If it was not you, check your recent activity and set a new password now:',
      label: 'Review activity',
      url,
    },
    notes: ['If it was you, you can ignore this email.'],
  }
}

function titleOf(notice: Notice): string {
  if (notice in OTHERS) return OTHERS[notice as keyof typeof OTHERS]
  const at = notice.lastIndexOf('_')
  const name = CREDENTIALS[notice.slice(0, at) as NoticedCredential]
  const verb = notice.slice(at + 1)
  if (verb !== 'added') return `Your ${name} was ${verb}`
  return `${name.startsWith('a') ? 'An' : 'A'} ${name} was added to your account`
}

/** `2 April 2031, 09:00 UTC`: email clients take six digits in a row for a code. */
function moment(at: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', format).format(new Date(at))} UTC`
}
