import { relative } from 'node:path'
import type { Settings } from '../settings/env.ts'
import type { Log } from './log.ts'

/** A few lines for a human; one log line where a program reads the output. */
export function announce(settings: Settings, database: string | undefined, log: Log): void {
  if (settings.production) {
    log.info({ address: settings.public_url, port: settings.port }, 'listening')
    return
  }
  const lines = [
    ['My App', settings.public_url],
    ...(settings.demo ? [['Inbox', `${settings.public_url}/demo/inbox`]] : []),
    ...(settings.admin_ui ? [['Admin', `http://${settings.admin_host}:${settings.admin_port}/ui`]] : []),
    ...(settings.identity_url === undefined ? [] : [['Identity', settings.identity_url]]),
    ['Data', settings.database_file ? shortest(settings.database_file) : (database ?? 'nowhere here')],
  ]
  const text = lines.map(([name = '', value]) => `  ${name.padEnd(10)}${value}`).join('\n')
  process.stdout.write(`\n${text}\n\n  Ctrl-C stops it.\n\n`)
}

function shortest(file: string): string {
  const fromHere = relative(process.cwd(), file)
  return fromHere.startsWith('..') ? file : fromHere
}
