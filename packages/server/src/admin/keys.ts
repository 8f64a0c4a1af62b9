import { createLog } from '@my-app/identity-server/process'
import { StartError } from '../http/errors.ts'
import type { Settings } from '../settings/env.ts'
import { newSecret, rotateSecretsFile, secretsFileOf } from '../start/data-folder.ts'
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
  logRotation(file, secrets)
  const steps = ['Restart the server: until then it signs with the secret that was first before.', KEEP]
  return {
    text: `A new secret is the first of ${secrets} in ${file}.\n${numbered(steps)}`,
    data: { file, secrets, steps },
  }
}

const KEEP =
  'Keep the older ones behind it: authenticator apps that were not used since are encrypted with them. docs/operations.md says how long.'

/** Two steps, because a running server knows only the secrets it was started with. */
function bringIn(secret: string, file: string | undefined): Printed {
  const [place, append, prepend] =
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
  const steps = [`Append it: ${append}. A single server may skip this.`, `Put it in front: ${prepend}.`, KEEP]
  const text = `${place}: nothing was changed. A new secret, shown only here:\n\n  ${secret}\n\n${numbered(steps)}\nA start that would break this order is refused.`
  return { text, data: { secret, steps } }
}

function logRotation(file: string, secrets: number): void {
  const log = createLog({ level: 'info', format: 'json', write: (line) => void process.stderr.write(line) })
  log.info({ event: 'secrets_rotated', file, secrets }, 'secret rotated')
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}
