import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { addressOf, deviceName } from '@my-app/identity'
import { roles } from '../../../../app.config.ts'
import { StartError } from '../http/errors.ts'
import { storedRoles } from '../session/roles.ts'
import type { Settings } from '../settings/env.ts'
import { readSettings } from '../settings/env.ts'
import { complaintOf, counted } from '../start/command-line.ts'
import * as accounts from './accounts.ts'
import type { AdminClient } from './admin-client.ts'
import { createAdminClient } from './admin-client.ts'
import { rotateKeys } from './keys.ts'
import { changeRole } from './roles.ts'

interface Run {
  readonly settings: Settings
  readonly admin: AdminClient
  readonly args: readonly string[]
  confirm(question: string): Promise<void>
}

/** Text for people, data for `--json`. */
export interface Printed {
  readonly text: string
  readonly data: unknown
}

interface Command {
  readonly summary: string
  readonly usage?: string
  run(run: Run): Promise<Printed>
}

const commands: Readonly<Record<string, Command>> = {
  'user find': {
    summary: 'accounts whose address contains a text, at most 50',
    usage: 'TEXT',
    async run({ admin, args: [text = ''] }) {
      const found = await accounts.searchAccounts(admin, text)
      return { text: table(found.map(accountRow), 'No account matches.'), data: found }
    },
  },
  'user show': onUser('one account with its credentials and addresses', async (user) => {
    return { text: describe(user), data: user }
  }),
  'user disable': onUser(
    'keep a user from signing in, and end every session',
    async (user, { admin, confirm }) => {
      await confirm(`Disable ${nameOf(user)} and end every session?`)
      await accounts.setState(admin, user, 'inactive')
      return said(`${nameOf(user)} is disabled.`, user)
    },
  ),
  'user enable': onUser('let a disabled user sign in again', async (user, { admin }) => {
    await accounts.setState(admin, user, 'active')
    return said(`${nameOf(user)} is enabled.`, user)
  }),
  'user delete': onUser('delete an account and all its data', async (user, { admin, confirm }) => {
    await confirm(`Delete ${nameOf(user)} for good?`)
    await accounts.deleteAccount(admin, user)
    return said(`${nameOf(user)} is deleted.`, user)
  }),
  'user sessions': onUser('where a user is or was signed in, the newest 50', async (user, { admin }) => {
    const sessions = await accounts.listSessions(admin, user)
    return { text: table(sessions.map(sessionRow), 'No session.'), data: sessions }
  }),
  'user events': onUser('what happened to an account, the newest 50', async (user, { admin }) => {
    const events = await accounts.listEvents(admin, user)
    return { text: table(events.map(eventRow), 'No event.'), data: events }
  }),
  'user sign-out': onUser('end every session of a user', async (user, { admin, confirm }) => {
    await confirm(`End every session of ${nameOf(user)}?`)
    const ended = await accounts.signOut(admin, user)
    return { text: `${counted(ended, 'session')} ended.`, data: { id: user.id, ended } }
  }),
  'user recovery-code': onUser('a recovery code and link to hand to the user', async (user, { admin }) => {
    const code = await accounts.createRecoveryCode(admin, user)
    return { text: `${code.recovery_code} at ${code.recovery_link}, until ${code.expires_at}`, data: code }
  }),
  'user verify': onUser('mark the addresses of a user as verified', async (user, { admin }) => {
    const verified = await accounts.verifyAddresses(admin, user)
    const text = `${counted(verified, 'address', 'addresses')} verified.`
    return { text, data: { id: user.id, verified } }
  }),
  'user resend': onUser('send a new verification code', async (user, { admin }) => {
    const sent_to = await accounts.resendVerification(admin, user)
    return { text: `A code is on its way to ${sent_to}.`, data: { sent_to } }
  }),
  'user role add': onUser('give a user a role', roleChange('add'), 'USER ROLE'),
  'user role remove': onUser('take a role from a user', roleChange('remove'), 'USER ROLE'),
  'user role list': {
    summary: 'the roles of a user, or of the product',
    usage: '[USER]',
    async run({ admin, args: [who] }) {
      const user = who === undefined ? undefined : await accounts.findAccount(admin, who)
      const listed = user ? storedRoles(user.metadata_public) : roles
      return { text: listed.join('\n') || 'No role.', data: listed }
    },
  },
  'keys rotate': {
    summary: 'a new secret that signs and encrypts; the old ones still verify',
    run: ({ settings, confirm }) => rotateKeys(settings, confirm),
  },
  'audit list': {
    summary: 'calls that changed something or were refused, the newest 50',
    async run({ admin }) {
      const calls = await accounts.listAdminCalls(admin, 'newest')
      return { text: table(calls.map(callRow), 'No call.'), data: calls }
    },
  },
  'audit export': {
    summary: 'all of these calls as JSON lines',
    async run({ admin }) {
      const calls = await accounts.listAdminCalls(admin, 'all')
      return { text: calls.map((call) => JSON.stringify(call)).join('\n'), data: calls }
    },
  },
  'mail list': {
    summary: 'the newest 50 emails with their last error, of one recipient if named',
    usage: '[ADDRESS]',
    async run({ admin, args: [recipient] }) {
      const listed = await accounts.listMessages(admin, recipient)
      const messages = await Promise.all(
        listed.map(async (one) => ({ ...one, last_error: await accounts.lastError(admin, one) })),
      )
      return { text: table(messages.map(messageRow), 'No email.'), data: messages }
    },
  },
  'mail retry': {
    summary: 'send a failed email again',
    usage: 'ID',
    async run({ admin, args: [id = ''] }) {
      const message = await accounts.retryMessage(admin, id)
      return { text: `The email to ${message.recipient} is queued.`, data: message }
    },
  },
}

function onUser(
  summary: string,
  run: (user: accounts.Account, run: Run) => Promise<Printed>,
  usage = 'USER',
): Command {
  return {
    summary,
    usage,
    run: async (given) => await run(await accounts.findAccount(given.admin, given.args[0] ?? ''), given),
  }
}

function roleChange(change: 'add' | 'remove') {
  return async (user: accounts.Account, { admin, args: [, role = ''] }: Run): Promise<Printed> => {
    await changeRole(admin, user, role, change)
    return said(`${nameOf(user)} ${change === 'add' ? 'has' : 'does not have'} the role ${role}.`, user)
  }
}

export async function adminCommand(given: readonly string[]): Promise<void> {
  process.stdout.write(`${await runAdminCommand(given)}\n`)
}

/** Returns the text to print. Throws `StartError`. */
export async function runAdminCommand(given: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const { values, positionals } = parseGiven(given)
  if (positionals.length === 0) return usage()
  const { command, args } = findCommand(positionals)
  const settings = readSettings(env)
  const printed = await command.run({
    settings,
    admin: createAdminClient(settings),
    args,
    confirm: (question) => (values.yes ? Promise.resolve() : confirm(question)),
  })
  return values.json ? JSON.stringify(printed.data, null, 2) : printed.text
}

function findCommand(words: readonly string[]) {
  const names = [3, 2].map((length) => words.slice(0, length).join(' '))
  const name = names.find((one) => Object.hasOwn(commands, one)) ?? ''
  const command = commands[name]
  if (!command) throw new StartError(`There is no command "${names[1]}".\n\n${usage()}`)
  const args = words.slice(name.split(' ').length)
  const known = command.usage?.split(' ') ?? []
  const correct = `npm run admin -- ${[name, ...known].join(' ')}`
  const missing = known[args.length]
  if (missing && !missing.startsWith('[')) throw new StartError(`Name one ${missing}: ${correct}`)
  const tooMuch = args.slice(known.length).join(' ')
  if (tooMuch) throw new StartError(`"${tooMuch}" is too much: ${correct}`)
  return { command, args }
}

function parseGiven(given: readonly string[]) {
  const options = { json: { type: 'boolean' }, yes: { type: 'boolean' } } as const
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true })
  } catch (error) {
    throw new StartError(`${complaintOf(error)}\n\n${usage()}`)
  }
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, { usage = '', summary }]) => {
    return `  ${`${name} ${usage}`.padEnd(28)}${summary}`
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
    ['roles', storedRoles(found.metadata_public).join(', ') || 'none'],
    ['addresses', addresses.join(', ') || 'none'],
  ])
}

function accountRow(found: accounts.Account): string[] {
  return [found.id, nameOf(found), found.state, found.created_at]
}

function sessionRow({ id, active, devices, ...session }: accounts.AccountSession): string[] {
  const { authenticator_assurance_level: level, authenticated_at } = session
  const address = addressOf(devices[0]?.ip_address) ?? ''
  const device = deviceName(devices[0]?.user_agent).name
  return [id, active ? 'live' : 'ended', level, authenticated_at, address, device]
}

function eventRow({ created_at, event, outcome, method, detail, client_address }: accounts.AccountEvent) {
  return [created_at, event, outcome, method, detail, client_address]
}

function callRow({ created_at, operator, outcome, method, identity_id, client_address }: accounts.AdminCall) {
  return [created_at, operator ?? '-', outcome, method, identity_id ?? '-', client_address]
}

function messageRow({ last_error = '', ...message }: accounts.QueuedMessage & { last_error?: string }) {
  const { id, status, recipient, template_type, send_count, created_at } = message
  return [id, status, recipient, template_type, counted(send_count, 'attempt'), created_at, last_error]
}

function table(rows: readonly string[][], empty = ''): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n') || empty
}
