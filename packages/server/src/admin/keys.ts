import { listSecretUse, type SecretUse } from '@ostiary/identity/serving'
import { createLog } from '@ostiary/identity-server/process'
import { StartError } from '../http/errors.ts'
import { commandText, type Settings } from '../settings/env.ts'
import { databaseDsn } from '../settings/identity.config.ts'
import { findSecrets, newSecret, rotateSecretsFile, secretsFileOf } from '../start/data-folder.ts'
import type { Printed } from './command.ts'

/**
 * Without SECRETS, adds a secret to the data folder's file. SECRETS or SECRETS_FILE are set where servers
 * are started, so it prints a secret and the steps.
 */
export async function rotateKeys(
  settings: Settings,
  confirm: (question: string) => Promise<void>,
): Promise<Printed> {
  if (settings.identity_url !== undefined)
    throw new StartError('The service at IDENTITY_URL has the secrets: rotate them there.')
  if (settings.secrets.length > 0) return bringIn(newSecret(), settings.secrets_file)
  const file = secretsFileOf(settings)
  if (file === undefined)
    throw new StartError(
      'A database in memory is new at each start, and so are its secrets: restart the server.',
    )
  await confirm(`Put a new secret in front of those in ${file}?`)
  const secrets = rotateSecretsFile(file)
  const log = createLog({ level: 'info', format: 'json', write: (line) => void process.stderr.write(line) })
  log.info({ event: 'secrets_rotated', file, secrets }, 'secret rotated')
  const steps = [
    'Restart the server: until then it signs with the secret that was first before.',
    HOW_TO_KEEP_SECRETS,
  ]
  return {
    text: `A new secret is the first of ${secrets} in ${file}.\n${numbered(steps)}`,
    data: { file, secrets, steps },
  }
}

/** Reads the database itself, so that it also works while no server starts. */
export async function listKeyUse(settings: Settings): Promise<Printed> {
  const secrets = findSecrets(settings)
  if (settings.identity_url !== undefined || secrets === undefined)
    throw new StartError(
      'There are no secrets: set SECRETS, and DATABASE_URL or DATA_DIR, as for the server.',
    )
  const { uses, unreadable } = await listSecretUse(databaseDsn(settings), secrets)
  const place = settings.database_file ?? 'the database of DATABASE_URL'
  const lines = uses.map(
    (use, index) => `Secret ${index + 1}${index === 0 ? ' (signs and encrypts)' : ''}: ${describeUse(use)}`,
  )
  if (Object.values(unreadable).some((count) => count > 0))
    lines.push(`No secret decrypts: ${describeUse(unreadable)}`)
  return { text: [`In ${place}:`, ...lines, '', VERIFIES].join('\n'), data: { place, uses, unreadable } }
}

const NAMES: Readonly<Record<keyof SecretUse, string>> = {
  totp: 'authenticator apps',
  provider_token: 'tokens of providers',
  message: 'queued or failed messages',
  signing_key: 'token keys',
  session_exchange: 'logins of apps under way',
}

/** Such as "2 authenticator apps, 1 token keys". */
export function describeUse(use: SecretUse): string {
  const rows = Object.entries(NAMES).map(([kind, name]) => [use[kind as keyof SecretUse], name] as const)
  const uses = rows.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`)
  return uses.join(', ') || 'nothing'
}

const VERIFIES =
  'An old secret also verifies what it signed before the rotation: forms and codes for an hour, links of operators for a day, known browsers for 180 days. Without it, users request another code, and get a notice about a new browser.'

const HOW_TO_KEEP_SECRETS = `Keep the older ones behind it: authenticator apps that were not used since are encrypted with them. docs/operations.md says how long, \`${commandText('admin', 'keys usage')}\` what they still encrypt.`

/** Two steps, because a running server knows only the secrets it was started with. */
function bringIn(secret: string, file: string | undefined): Printed {
  const [summary, append, prepend] =
    file === undefined
      ? [
          'SECRETS is set where the servers are started',
          `restart every server, one after the other, with SECRETS="$SECRETS,${secret}"`,
          `restart every server with SECRETS="${secret},$SECRETS", where $SECRETS is the list from before`,
        ]
      : [
          `SECRETS_FILE is ${file}`,
          `add ",${secret}" to the end of ${file} and restart every server, one after the other`,
          `move it to the beginning of ${file}, as "${secret},", and restart every server`,
        ]
  const steps = [
    `Append it: ${append}. A single server may skip this.`,
    `Put it in front: ${prepend}.`,
    HOW_TO_KEEP_SECRETS,
  ]
  const text = `${summary}: nothing was changed. A new secret, shown only here:\n\n  ${secret}\n\n${numbered(steps)}\nA start that would break this order is refused.`
  return { text, data: { secret, steps } }
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}
