import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { AdminClient } from '../admin/admin-client.ts'
import { StartError } from '../http/errors.ts'
import { replaceFile } from '../start/data-folder.ts'
import { type Account, lacksFactorContents, listed, toImportable } from './account.ts'
import { CSV_COLUMNS, toCsvRow } from './csv-row.ts'

const FIRST_PAGE =
  '/identities?page_size=250&include_transfer=true&include_credential=password&include_credential=oidc'

const place = z.object({
  next: z.string().optional(),
  bytes: z.number(),
  exported: z.number(),
  /** Accounts with passkeys, authenticator apps or backup codes, which no import accepts. */
  without_second_factor: z.number(),
  /** Accounts whose former address can still be restored, by a link that works here only. */
  with_undo: z.number(),
})

type ExportCounts = z.infer<typeof place>

export async function exportAccounts(
  admin: AdminClient,
  file: string,
  onProgress: (counts: ExportCounts) => void,
): Promise<ExportCounts> {
  const form = formOf(file)
  const progress = `${file}.progress`
  let position = existsSync(progress) ? place.parse(JSON.parse(readFileSync(progress, 'utf8'))) : undefined
  if (!position && existsSync(file)) throw new StartError(`${file} exists already. Name another file.`)
  position ??= { next: FIRST_PAGE, bytes: 0, exported: 0, without_second_factor: 0, with_undo: 0 }
  let page = position.next === undefined ? undefined : await admin.page(position.next)
  // Opened late, so that a silent server leaves no empty file.
  const output = openSync(file, position.bytes > 0 ? constants.O_WRONLY | constants.O_APPEND : 'a', 0o600)
  try {
    while (page) {
      const accounts = z.array(listed).parse(page.items)
      const text = form.page(accounts.map(toImportable), position.bytes === 0)
      append(output, position.bytes, text)
      position = {
        next: page.next,
        bytes: position.bytes + Buffer.byteLength(text),
        exported: position.exported + accounts.length,
        without_second_factor: position.without_second_factor + accounts.filter(lacksFactorContents).length,
        with_undo: position.with_undo + accounts.filter(({ transfer }) => transfer?.undo_until).length,
      }
      replaceFile(progress, position)
      onProgress(position)
      page = page.next === undefined ? undefined : await admin.page(page.next)
    }
    append(output, position.bytes, form.end)
  } finally {
    closeSync(output)
  }
  rmSync(progress)
  return position
}

/** Writes all of the text or throws: a single write may end early on a full disk. */
function append(output: number, bytes: number, text: string): void {
  ftruncateSync(output, bytes)
  appendFileSync(output, text)
}

interface Form {
  page(accounts: readonly Account[], isFirst: boolean): string
  readonly end: string
}

function formOf(file: string): Form {
  if (file.endsWith('.jsonl') || file.endsWith('.ndjson'))
    return { page: (accounts) => accounts.map((one) => `${JSON.stringify(one)}\n`).join(''), end: '' }
  if (file.endsWith('.json')) return { page: jsonItems, end: '\n]\n' }
  if (file.endsWith('.csv'))
    return {
      page: (accounts, isFirst) =>
        stringify(accounts.map(toCsvRow), { header: isFirst, columns: [...CSV_COLUMNS] }),
      end: '',
    }
  throw new StartError(`${file} must end with .json, .jsonl, .ndjson or .csv.`)
}

/** A list as `kratos import identities` reads it. */
function jsonItems(accounts: readonly Account[], isFirst: boolean): string {
  const items = accounts.map((one) => JSON.stringify(one)).join(',\n')
  if (isFirst) return `[\n${items}`
  return items === '' ? '' : `,\n${items}`
}
