import { createInterface } from 'node:readline/promises'
import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { storedRoles } from '../session/roles.ts'
import { commandText, readSettings, type Settings } from '../settings/env.ts'
import { parseCommandLine, plural } from '../start/command-line.ts'
import * as accounts from './accounts.ts'
import { type AdminClient, createAdminClient } from './admin-client.ts'
import { listKeyUse, rotateKeys } from './keys.ts'

interface Run {
  readonly roles: readonly string[]
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
  'user role add': roleChange('add', 'give a user a role'),
  'user role remove': roleChange('remove', 'take a role from a user'),
  'user role list': {
    summary: 'the roles of a user, or of the product',
    usage: '[USER]',
    async run({ admin, roles, args: [who] }) {
      const user = who === undefined ? undefined : await accounts.findAccount(admin, who)
      const listed = user ? storedRoles(user.metadata_public) : roles
      return { text: listed.join('\n') || 'No role.', data: listed }
    },
  },
  'keys rotate': {
    summary: 'a new secret that signs and encrypts; the old ones still verify',
    run: ({ settings, confirm }) => rotateKeys(settings, confirm),
  },
  'keys usage': {
    summary: 'what each secret still encrypts in the database',
    run: ({ settings }) => listKeyUse(settings),
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
      // During an outage, one message is tried for all.
      const outage = messages.find(({ status, last_error }) => status === 'queued' && last_error)?.last_error
      const rows = messages.map((one) =>
        messageRow(one.status === 'queued' ? { ...one, last_error: one.last_error ?? outage } : one),
      )
      return { text: table(rows, 'No email.'), data: messages }
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

function roleChange(change: 'add' | 'remove', summary: string): Command {
  return {
    summary,
    usage: 'USER ROLE',
    async run({ admin, roles, args: [who = '', role = ''] }) {
      const user = await accounts.findAccount(admin, who)
      await accounts.changeRole(admin, user, { role, roles, change })
      const name = user.traits.email ?? user.id
      const text = `${name} ${change === 'add' ? 'has' : 'does not have'} the role ${role}.`
      return { text, data: { id: user.id } }
    },
  }
}

export async function adminCommand(product: Product, args: readonly string[]): Promise<void> {
  const text = await runAdminCommand(product, args)
  if (text !== '') process.stdout.write(`${text}\n`)
}

/** Returns the text to print. Throws `StartError`. */
export async function runAdminCommand(
  product: Product,
  commandArgs: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<string> {
  const options = { json: { type: 'boolean' }, yes: { type: 'boolean' } } as const
  const config = { args: [...commandArgs], options, allowPositionals: true }
  const { values, positionals } = parseCommandLine(config, usage())
  if (positionals.length === 0) return usage()
  const { command, args } = findCommand(positionals)
  const settings = readSettings(product, env)
  const printed = await command.run({
    settings,
    roles: product.config.roles,
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
  const knownArguments = command.usage?.split(' ') ?? []
  const correct = commandText('admin', [name, ...knownArguments].join(' '))
  const missing = knownArguments[args.length]
  if (missing && !missing.startsWith('[')) throw new StartError(`Name one ${missing}: ${correct}`)
  const tooMuch = args.slice(knownArguments.length).join(' ')
  if (tooMuch) throw new StartError(`"${tooMuch}" is too much: ${correct}`)
  return { command, args }
}

function usage(): string {
  const lines = Object.entries(commands).map(([name, { usage = '', summary }]) => {
    return `  ${`${name} ${usage}`.padEnd(28)}${summary}`
  })
  return [
    commandText('admin', 'COMMAND [--json] [--yes]'),
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

function callRow({ operator, identity_id, changes, ...call }: accounts.AdminCall) {
  const { created_at, outcome, method, client_address } = call
  return [created_at, operator ?? '-', outcome, method, identity_id ?? '-', changes ?? '-', client_address]
}

function messageRow({ last_error = '', ...message }: accounts.QueuedMessage & { last_error?: string }) {
  const { id, status, recipient, send_count, created_at } = message
  const type = message.own_template_type ?? message.template_type
  return [id, status, recipient, type, plural(send_count, 'attempt'), created_at, last_error]
}

function table(rows: readonly string[][], empty = ''): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n') || empty
}
