import { readableAddresses } from '../../input/readable-address.ts'
import { type Email, type Letterhead, type Page, renderPage } from './page.ts'

/** An email of the product. Values in it are escaped, but phishing needs no markup: let no user write the sentences. */
export interface EmailTemplate<Data extends object> {
  /** In metrics, logs and the admin API, such as `welcome`. */
  readonly name: string
  /** For previews. */
  readonly sample: Data
  write(data: Data): Email
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The parts of the service's own emails, always in the same order. */
export interface Letter extends Omit<Email, 'body' | 'preheader'> {
  readonly code?: string
  readonly intro: string
  readonly list?: readonly string[]
  readonly link?: { readonly lead: string; readonly label: string; readonly url: string }
  readonly notes: readonly string[]
}

export interface Envelope extends Letterhead {
  /** Unknown in previews. */
  readonly to?: string | undefined
}

export function renderEmail(
  { app_name, to, ...head }: Envelope,
  { body, ...email }: Page,
  firstLine = email.title,
): RenderedMail {
  const name = oneLine(app_name)
  const { sentTo = (address: string) => `${name} sent this email to ${address}.` } = email
  const page = readablePage({
    ...email,
    body: [...body, ...(to === undefined ? [] : [{ note: sentTo(to) }])],
  })
  return {
    subject: oneLine(readableAddresses(email.subject)),
    text: `${[firstLine, ...page.body.flatMap(textOf)].join('\n\n')}\n`,
    html: renderPage({ ...head, app_name: name }, page),
  }
}

function readablePage({ preheader, title, body, ...page }: Page): Page {
  return {
    ...page,
    preheader: preheader && readableAddresses(preheader),
    title: readableAddresses(title),
    body: body.map((block) => {
      if (typeof block === 'string') return readableAddresses(block)
      if ('list' in block) return { list: block.list.map(readableAddresses) }
      return 'note' in block ? { note: readableAddresses(block.note) } : block
    }),
  }
}

/** Notifications show the first line. */
export function renderLetter(
  envelope: Envelope,
  { code, intro, list = [], link, notes, ...head }: Letter,
): RenderedMail {
  const body: Page['body'] = [
    intro,
    ...(list.length === 0 ? [] : [{ list }]),
    ...(code === undefined ? [] : [{ code }]),
    ...(link === undefined ? [] : [link.lead, { button: link.label, url: link.url }]),
    ...notes.map((note) => ({ note })),
  ]
  const firstLine = code === undefined ? head.title : `${head.subject}.`
  return renderEmail(envelope, { preheader: intro, ...head, body }, firstLine)
}

function textOf(block: Page['body'][number]): string[] {
  if (typeof block === 'string') return [block]
  if ('list' in block) return [block.list.map((item) => `- ${item}`).join('\n')]
  if ('button' in block) return [block.url]
  return 'note' in block ? [block.note] : []
}

/** A line break would end the header (SEC-10). */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').trim()
}
