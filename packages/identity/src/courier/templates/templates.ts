import type { Config } from '../../config/config.ts'
import type { Via } from '../../wire/identity.ts'
import { type Envelope, type Letter, oneLine, type RenderedMail, renderLetter } from './email.ts'
import { type DigestData, digestLetter, type NoticeData, noticeLetter } from './notice-texts.ts'
import type { Letterhead } from './page.ts'

/** The app's name in messages is `courier.smtp.from_name`, or the host. */
export function letterhead({ courier, serve }: Pick<Config, 'courier' | 'serve'>): Letterhead {
  const app_name = courier.smtp.from_name ?? new URL(serve.public.base_url).hostname
  return { app_name, language: courier.language, colors: courier.colors, font: courier.font }
}

export type Channel = Via

/** Not user input: an attacker must not choose the words. */
export interface MailData {
  readonly verification_code_valid: CodeData
  readonly verification_code_invalid: NoData
  readonly verification_valid: LinkData
  readonly verification_invalid: NoData
  readonly recovery_code_valid: CodeData
  readonly recovery_code_invalid: NoData
  readonly recovery_valid: LinkData
  readonly recovery_invalid: NoData
  readonly login_code_valid: CodeData
  readonly registration_code_valid: CodeData
  /** `url`: the sign-in page. */
  readonly registration_duplicate: { readonly url: string }
  /** `url`: the sign-in page. */
  readonly address_taken: { readonly url: string }
  readonly address_reserved: NoData
  /** `address`: masked. `url`: restores the old one. */
  readonly address_changed: {
    readonly address: string
    readonly url: string
    readonly expires_in_hours: number
  }
  readonly security_notice: NoticeData
  readonly security_digest: DigestData
  /** `due`: such as `6 December 2026`. `url`: the sign-in page. */
  readonly account_deletion_requested: { readonly due: string; readonly url: string }
  readonly account_deletion_cancelled: { readonly url: string }
  readonly account_deleted: NoData
}

export type TemplateType = keyof MailData

export interface CodeData {
  readonly code: string
  readonly expires_in_minutes: number
  readonly url?: string
}

interface LinkData {
  readonly url: string
  readonly expires_in_minutes: number
}

type NoData = Readonly<Record<string, never>>

/** Other sentences for the service's own emails: each function gets the built-in email. */
export type Letters = { readonly [T in TemplateType]?: (builtIn: Letter, data: MailData[T]) => Letter }

export function renderMail<T extends TemplateType>(
  template_type: T,
  envelope: Envelope,
  data: MailData[T],
  change?: Letters[T],
): RenderedMail {
  const builtIn = letters[template_type](oneLine(envelope.app_name), data)
  return renderLetter(envelope, change?.(builtIn, data) ?? builtIn)
}

const letters: { readonly [T in TemplateType]: (app_name: string, data: MailData[T]) => Letter } = {
  verification_code_valid: (app_name, data) =>
    codeLetter(app_name, data, {
      title: 'Verify your email address',
      intro: 'Enter this code on the page that asked for it to verify your email address.',
    }),
  verification_code_invalid: (app_name) => unknownAddress(app_name, 'verify this email address'),
  verification_valid: (app_name, data) =>
    linkLetter(app_name, data, {
      subject: `Verify your email address for ${app_name}`,
      title: 'Verify your email address',
      label: 'Verify email address',
    }),
  verification_invalid: (app_name) => unknownAddress(app_name, 'verify this email address'),
  recovery_code_valid: (app_name, data) =>
    codeLetter(app_name, data, {
      title: 'Get back into your account',
      intro: 'Enter this code on the page that asked for it, then choose a new password.',
    }),
  recovery_code_invalid: (app_name) => unknownAddress(app_name, 'recover an account with this email address'),
  recovery_valid: (app_name, data) =>
    linkLetter(app_name, data, {
      subject: `Get back into your account at ${app_name}`,
      title: 'Get back into your account',
      label: 'Choose a new password',
    }),
  recovery_invalid: (app_name) => unknownAddress(app_name, 'recover an account with this email address'),
  login_code_valid: (app_name, data) =>
    codeLetter(app_name, data, {
      title: 'Log in',
      intro: 'Enter this code on the page that asked for it to log in.',
      link: { lead: 'Or open this link in the same browser:', label: 'Log in' },
    }),
  registration_code_valid: (app_name, data) =>
    codeLetter(app_name, data, {
      title: 'Finish your registration',
      intro: 'Enter this code on the page that asked for it to create your account.',
    }),
  registration_duplicate: (app_name, { url }) => ({
    subject: `You already have an account at ${app_name}`,
    title: 'You already have an account',
    intro: `We received a request to create an account at ${app_name} with this email address. It already belongs to your account, so nothing has changed.`,
    link: { lead: 'If it was you, log in here:', label: 'Log in', url },
    notes: [
      'Forgot your password? You can reset it on the same page.',
      'If it was not you, you can ignore this email: your account has not changed.',
    ],
  }),
  address_taken: (app_name, { url }) => ({
    subject: `This address already has an account at ${app_name}`,
    title: 'This address already has an account',
    intro: `A request at ${app_name} tried to add this email address to another account. It already belongs to your account, so nothing has changed.`,
    link: { lead: 'If it was you, log in to this account instead:', label: 'Log in', url },
    notes: ['If it was not you, you can ignore this email: your account has not changed.'],
  }),
  address_reserved: (app_name) => ({
    subject: `This address is not free yet at ${app_name}`,
    title: 'This address is not free yet',
    intro: `We received a request to create an account at ${app_name} with this email address. An account replaced the address in the last 72 hours and can still take it back, so no new account was created.`,
    notes: [
      'To use the address for a new account, register again after the 72 hours.',
      'If it was not you, you can ignore this email.',
    ],
  }),
  address_changed: (app_name, { address, url, expires_in_hours }) => ({
    subject: `Your email address at ${app_name} was changed`,
    title: 'Your email address was changed',
    intro: `Your account at ${app_name} now uses ${address} instead of this address.`,
    link: {
      lead: 'If it was not you, restore this address. Every device is then logged out:',
      label: 'Restore this address',
      url,
    },
    notes: [
      `The link works once, within ${expires_in_hours} hours. Do not pass it on.`,
      'If it was you, there is nothing to do.',
    ],
  }),
  security_notice: noticeLetter,
  security_digest: digestLetter,
  account_deletion_requested: (app_name, { due, url }) => ({
    subject: `Your ${app_name} account will be deleted on ${due}`,
    title: 'Your account will be deleted',
    intro: `You asked us to delete your ${app_name} account. We do so on ${due}, with everything in it. You have been logged out everywhere.`,
    link: {
      lead: 'Changed your mind? Log in before then and choose “Keep my account”:',
      label: 'Log in',
      url,
    },
    notes: [
      'If you did not ask for this, someone else may have used your account: log in, keep it, and choose a new password.',
    ],
  }),
  account_deletion_cancelled: (app_name, { url }) => ({
    subject: `Your ${app_name} account stays`,
    title: 'Your account stays',
    intro: `Your ${app_name} account was going to be deleted. It won’t be any more: the deletion was cancelled.`,
    link: {
      lead: 'If this wasn’t you, choose a new password and delete the account again:',
      label: 'Open your settings',
      url,
    },
    notes: [],
  }),
  account_deleted: (app_name) => ({
    subject: `Your ${app_name} account has been deleted`,
    title: 'Your account has been deleted',
    intro: `As you asked us to, we have deleted your ${app_name} account and everything in it.`,
    notes: ['This is the last email about this account. You are welcome to create a new one at any time.'],
  }),
}

const PREFILLED = {
  lead: 'Or open this page, where the code is filled in already:',
  label: 'Open the page',
}

function codeLetter(
  app_name: string,
  { code, expires_in_minutes, url }: CodeData,
  { link = PREFILLED, ...words }: Pick<Letter, 'title' | 'intro'> & { readonly link?: typeof PREFILLED },
): Letter {
  return {
    subject: `${code} is your ${app_name} code`,
    ...words,
    code,
    link: url === undefined ? undefined : { ...link, url },
    notes: [
      `The code works once and expires in ${minutes(expires_in_minutes)}. We will never ask you for it.`,
      'If you did not ask for a code, ignore this email: no one can proceed without the code.',
    ],
  }
}

function linkLetter(
  app_name: string,
  { url, expires_in_minutes }: LinkData,
  { label, ...words }: { readonly subject: string; readonly title: string; readonly label: string },
): Letter {
  return {
    ...words,
    intro: `We received a request for this at ${app_name}.`,
    link: { lead: 'Open this link to continue:', label, url },
    notes: [
      `The link works once and expires in ${minutes(expires_in_minutes)}. Do not share it.`,
      'If you did not ask for it, ignore this email: no one can proceed without the link.',
    ],
  }
}

function unknownAddress(app_name: string, wish: string): Letter {
  return {
    subject: `No account at ${app_name} with this address`,
    title: 'There is no account with this address',
    intro: `We received a request to ${wish} at ${app_name}, but no account uses it.`,
    notes: [
      'If it was you, try the address that you registered with.',
      'If it was not you, you can ignore this email.',
    ],
  }
}

function minutes(count: number): string {
  return count === 1 ? '1 minute' : `${count} minutes`
}

/** Links and notices are emails only. */
export function isTextMessage(template_type: TemplateType): boolean {
  return template_type.endsWith('_code_valid')
}

/** The last line lets browsers autofill the code on this origin only. */
export function renderTextMessage(
  { selfservice }: Config,
  app_name: string,
  { code, expires_in_minutes }: CodeData,
): string {
  const life = minutes(expires_in_minutes)
  const lines = [`${code} is your ${app_name} code. It expires in ${life}. Never share it.`]
  const home = selfservice.default_browser_return_url
  if (URL.canParse(home)) lines.push(`@${new URL(home).hostname} #${code}`)
  return `${lines.join('\n\n')}\n`
}
