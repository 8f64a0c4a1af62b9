import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { StartError } from '../http/errors.ts'

export interface FileRecord {
  /** Its line, or its position in the list of a JSON document. */
  readonly number: number
  /** Throws if this record cannot be parsed; the next may be valid. */
  read(): unknown
}

/** Reads CSV with a header, JSON lines, or one JSON document with a list. */
export async function* readRecords(file: string): AsyncGenerator<FileRecord> {
  if (file.endsWith('.csv')) yield* readRows(file)
  else if (/\.(jsonl|ndjson)$/.test(file)) yield* readLines(file)
  else if (file.endsWith('.json')) yield* readDocument(file)
  else throw new StartError(`${file} must end with .csv, .jsonl, .ndjson or .json.`)
}

async function* readRows(file: string): AsyncGenerator<FileRecord> {
  const { header, line } = await findHeader(file)
  const rows = Readable.from(await readTextLines(file))
    .map((line) => `${line}\n`)
    .compose(
      parse({
        columns: (names: string[]) => names.map((name) => name.trim()),
        delimiter: delimiterOf(header),
        from_line: line,
        info: true,
        // Spreadsheets leave empty rows at the end.
        skip_empty_lines: true,
        skip_records_with_empty_values: true,
      }),
    )
  try {
    for await (const { record, info } of rows as AsyncIterable<Row>)
      yield { number: info.lines, read: () => record }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    // The message may quote a hash.
    throw new StartError(`${file}, line ${cause.lines}, is not valid CSV: ${remedyOf(cause)}.`, { cause })
  }
}

interface Row {
  readonly record: unknown
  readonly info: { readonly lines: number }
}

/** Skips `sep=;`, which is for Excel, and empty lines. */
async function findHeader(file: string): Promise<{ header: string; line: number }> {
  let line = 1
  for await (const header of await readTextLines(file)) {
    if (!/^(sep=.)?\s*$/i.test(header)) return { header, line }
    line += 1
  }
  return { header: '', line: 1 }
}

/** European spreadsheets separate with semicolons, and databases with tabs. */
function delimiterOf(header: string): string {
  const names = header.replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((one) => ({ one, count: names.split(one).length }))
  return counts.reduce((most, other) => (other.count > most.count ? other : most)).one
}

function remedyOf({ code }: CsvError): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'close its quotation mark'
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return 'give it as many columns as the first line, and write cells with separators in quotation marks'
    default:
      return 'write cells with quotation marks in quotation marks, and double the inner ones'
  }
}

async function* readLines(file: string): AsyncGenerator<FileRecord> {
  let number = 0
  for await (const line of await readTextLines(file)) {
    number += 1
    if (number === 1 && line.startsWith('['))
      throw new StartError(
        `${file}, line 1, begins a list: name the file .json, or write one account a line.`,
      )
    const place = `line ${number}`
    if (line.trim() !== '') yield { number, read: () => parseJson(line, place) }
  }
}

/** Reads the whole file. `jq -c '.users[]'` splits larger documents into lines. */
async function* readDocument(file: string): AsyncGenerator<FileRecord> {
  const document = parseJson(await readWhole(file), file)
  const { users, Users } = (document ?? {}) as { users?: unknown; Users?: unknown }
  const list = [document, users, Users].find((one) => Array.isArray(one))
  if (!list) throw new StartError(`${file} has neither a list nor a list named "users".`)
  for (const [index, record] of list.entries()) yield { number: index + 1, read: () => record }
}

export async function readWhole(file: string): Promise<string> {
  return (await Array.fromAsync(await readTextLines(file))).join('\n')
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's message may quote a hash.
    const line = place.startsWith('line') ? undefined : /\(line (\d+) /.exec(String(error))?.[1]
    const hint = line === undefined ? '' : ` (line ${line}). If each line is an account, name the file .jsonl`
    throw new StartError(`${place} is not valid JSON${hint}.`)
  }
}

/**
 * Reads UTF-8 and the UTF-16 of Excel, without `\n` and byte order mark. Throws `StartError` with the line of other
 * encodings.
 */
async function readTextLines(file: string): Promise<AsyncIterable<string>> {
  const encoding = encodingOf(await firstBytes(file))
  return encoding === 'utf-8' ? utf8Lines(file) : splitLines(utf16Text(file, encoding))
}

async function firstBytes(file: string): Promise<Buffer> {
  for await (const chunk of createReadStream(file, { end: 1 })) return chunk as Buffer
  return Buffer.alloc(0)
}

/** A file without a mark begins with ASCII, so one of two bytes is 0 in UTF-16. */
function encodingOf([first, second]: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8'
}

async function* utf8Lines(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  // A character for each byte, so that an error names the line.
  for await (const bytes of splitLines(createReadStream(file, 'latin1'))) {
    number += 1
    try {
      yield decoder.decode(Buffer.from(bytes, 'latin1'))
    } catch {
      throw new StartError(
        `${file}, line ${number}, is not UTF-8. Save the file as UTF-8 (Excel: "CSV UTF-8").`,
      )
    }
  }
}

async function* utf16Text(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk as Buffer, { stream: true })
  yield decoder.decode()
}

async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let incompleteLine = ''
  for await (const chunk of text) {
    const lines = (incompleteLine + chunk).split('\n')
    incompleteLine = lines.pop() ?? ''
    yield* lines
  }
  if (incompleteLine !== '') yield incompleteLine
}
