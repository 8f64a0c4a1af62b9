import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { readSettings } from '../env.ts'
import { StartError } from '../errors.ts'
import * as accounts from './accounts.ts'
import type { AdminClient } from './admin-client.ts'
import { createAdminClient } from './admin-client.ts'

interface Run {
  readonly admin: AdminClient
  readonly who: string
  /** Asks before something is deleted; `--yes` answers. */
  confirm(question: string): Promise<void>
}

/** What a command prints: a sentence or a table for humans, data for `--json`. */
interface Printed {
  readonly text: string
  readonly data: unknown
}

interface Command {
  readonly summary: string
  /** What the command acts on, as shown in the usage. Unset: nothing, or an optional filter. */
  readonly argument?: string
  run(run: Run): Promise<Printed>
}

const commands: Readonly<Record<string, Command>> = {
  'user find': {
    summary: 'accounts whose address contains a text',
    argument: 'TEXT',
    async run({ admin, who }) {
      const found = await accounts.searchAccounts(admin, who)
      return { text: table(found.map(accountRow), 'No account matches.'), data: found }
    },
  },
  'user show': {
    summary: 'one account with its credentials and addresses',
    argument: 'USER',
    async run({ admin, who }) {
      const found = await accounts.findAccount(admin, who)
      return { text: describe(found), data: found }
    },
  },
  'user disable': {
    summary: 'keep a user from signing in, and end every session',
    argument: 'USER',
    async run({ admin, who, confirm }) {
      const found = await accounts.findAccount(admin, who)
      await confirm(`Disable ${nameOf(found)} and end every session?`)
      await accounts.setState(admin, found, 'inactive')
      return said(`${nameOf(found)} is disabled.`, found)
    },
  },
  'user enable': {
    summary: 'let a disabled user sign in again',
    argument: 'USER',
    async run({ admin, who }) {
      const found = await accounts.findAccount(admin, who)
      await accounts.setState(admin, found, 'active')
      return said(`${nameOf(found)} is enabled.`, found)
    },
  },
  'user delete': {
    summary: 'delete an account and all its data',
    argument: 'USER',
    async run({ admin, who, confirm }) {
      const found = await accounts.findAccount(admin, who)
      await confirm(`Delete ${nameOf(found)} for good?`)
      await accounts.deleteAccount(admin, found)
      return said(`${nameOf(found)} is deleted.`, found)
    },
  },
  'user sessions': {
    summary: 'where a user is signed in',
    argument: 'USER',
    async run({ admin, who }) {
      const sessions = await accounts.listSessions(admin, await accounts.findAccount(admin, who))
      return { text: table(sessions.map(sessionRow), 'No session.'), data: sessions }
    },
  },
  'user events': {
    summary: 'what happened with an account, newest first',
    argument: 'USER',
    async run({ admin, who }) {
      const events = await accounts.listEvents(admin, await accounts.findAccount(admin, who))
      return { text: table(events.map(eventRow), 'No event.'), data: events }
    },
  },
  'user sign-out': {
    summary: 'end every session of a user',
    argument: 'USER',
    async run({ admin, who, confirm }) {
      const found = await accounts.findAccount(admin, who)
      await confirm(`End every session of ${nameOf(found)}?`)
      const ended = await accounts.signOut(admin, found)
      return { text: `${ended} sessions ended.`, data: { id: found.id, ended } }
    },
  },
  'user recovery-code': {
    summary: 'a recovery code and link to hand to the user',
    argument: 'USER',
    async run({ admin, who }) {
      const code = await accounts.createRecoveryCode(admin, await accounts.findAccount(admin, who))
      const { recovery_code, recovery_link, expires_at } = code
      return { text: `${recovery_code} at ${recovery_link}, until ${expires_at}`, data: code }
    },
  },
  'user verify': {
    summary: 'mark the addresses of a user as verified',
    argument: 'USER',
    async run({ admin, who }) {
      const found = await accounts.findAccount(admin, who)
      const verified = await accounts.verifyAddresses(admin, found)
      return { text: `${verified} addresses verified.`, data: { id: found.id, verified } }
    },
  },
  'user resend': {
    summary: 'send a new verification code',
    argument: 'USER',
    async run({ admin, who }) {
      const sent_to = await accounts.resendVerification(admin, await accounts.findAccount(admin, who))
      return { text: `A code is on its way to ${sent_to}.`, data: { sent_to } }
    },
  },
  'mail list': {
    summary: 'the newest emails, of one recipient if named',
    async run({ admin, who }) {
      const messages = await accounts.listMessages(admin, who || undefined)
      return { text: table(messages.map(messageRow), 'No email.'), data: messages }
    },
  },
  'mail retry': {
    summary: 'send an email again that was given up',
    argument: 'ID',
    async run({ admin, who }) {
      const message = await accounts.retryMessage(admin, who)
      return { text: `The email to ${message.recipient} is queued.`, data: message }
    },
  },
}

/** `admin …`, as it is typed. */
export async function adminCommand(given: readonly string[]): Promise<void> {
  const { values, positionals } = parseGiven(given)
  const [area = '', verb = '', who = '', ...others] = positionals
  const command = commands[`${area} ${verb}`]
  if (!command) throw new StartError(usage())
  if (command.argument !== undefined && who === '')
    throw new StartError(`Name one ${command.argument}: npm run admin -- ${area} ${verb} ${command.argument}`)
  if (others.length > 0) throw new StartError(`"${others.join(' ')}" is too much: one at a time.`)
  const { admin_host, admin_port, admin_token } = readSettings()
  const host = admin_host.includes(':') ? `[${admin_host}]` : admin_host
  const printed = await command.run({
    admin: createAdminClient(`http://${host}:${admin_port}`, admin_token),
    who,
    confirm: (question) => (values.yes ? Promise.resolve() : confirm(question)),
  })
  process.stdout.write(`${values.json ? JSON.stringify(printed.data, null, 2) : printed.text}\n`)
}

function parseGiven(given: readonly string[]) {
  const options = { json: { type: 'boolean' }, yes: { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true })
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}\n\n${usage()}`)
  }
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, { argument = '', summary }]) => {
    return `  ${`${name} ${argument}`.padEnd(26)}${summary}`
  })
  return [
    'npm run admin -- COMMAND [--json] [--yes]',
    '',
    ...lines,
    '',
    'USER is an id or an address. --json prints data; --yes answers prompts.',
  ].join('\n')
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new StartError(`${question} Confirm with --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} (yes/no) `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new StartError('Nothing was changed.')
}

function said(text: string, { id }: accounts.Account): Printed {
  return { text, data: { id } }
}

function nameOf({ id, traits }: accounts.Account): string {
  return traits.email ?? id
}

function describe(found: accounts.Account): string {
  const addresses = found.verifiable_addresses.map(
    ({ value, verified }) => `${value} (${verified ? 'verified' : 'not verified'})`,
  )
  return table([
    ['id', found.id],
    ['state', found.state],
    ['created', found.created_at],
    ['credentials', Object.keys(found.credentials).join(', ') || 'none'],
    ['addresses', addresses.join(', ') || 'none'],
  ])
}

function accountRow(found: accounts.Account): string[] {
  return [found.id, nameOf(found), found.state, found.created_at]
}

function sessionRow(session: accounts.AccountSession): string[] {
  const [device] = session.devices
  const state = session.active ? 'live' : 'ended'
  return [
    session.id,
    state,
    session.authenticator_assurance_level,
    session.authenticated_at,
    device?.ip_address ?? '',
  ]
}

function eventRow({ created_at, event, outcome, method, detail, client_address }: accounts.AccountEvent) {
  return [created_at, event, outcome, method, detail, client_address]
}

function messageRow({
  id,
  status,
  recipient,
  template_type,
  send_count,
  created_at,
}: accounts.QueuedMessage) {
  return [id, status, recipient, template_type, `${send_count} attempts`, created_at]
}

/** Columns as wide as their longest cell. */
function table(rows: readonly string[][], empty = ''): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n') || empty
}
