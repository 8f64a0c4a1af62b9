import { createReadStream, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CsvError, parse } from 'csv-parse'
import { StartError } from '../http/errors.ts'

export interface FileRecord {
  /** Its line, or its position in the list of a JSON document. */
  readonly number: number
  /** Throws if this record cannot be parsed; the next may be valid. */
  read(): unknown
  /** The part of the file read so far, from 0 to 1. */
  readonly share: number
}

/** Reads CSV with a header, JSON lines, or one JSON document with a list. */
export async function* readRecords(file: string): AsyncGenerator<FileRecord> {
  if (file.endsWith('.csv')) yield* readRows(file)
  else if (/\.(jsonl|ndjson)$/.test(file)) yield* readLines(file)
  else if (file.endsWith('.json')) yield* readDocument(file)
  else throw new StartError(`${file} must end with .csv, .jsonl, .ndjson or .json.`)
}

async function* readRows(file: string): AsyncGenerator<FileRecord> {
  const { size } = statSync(file)
  const rows = createReadStream(file).compose(parse({ columns: true, bom: true, info: true }))
  try {
    for await (const { record, info } of rows as AsyncIterable<Row>)
      yield { number: info.lines, read: () => record, share: info.bytes / size }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    // The message may quote a hash.
    throw new StartError(`${file}, line ${String(cause.lines)}, is not valid CSV.`, { cause })
  }
}

interface Row {
  readonly record: unknown
  readonly info: { readonly bytes: number; readonly lines: number }
}

async function* readLines(file: string): AsyncGenerator<FileRecord> {
  const { size } = statSync(file)
  let number = 0
  let bytes = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1
    bytes += Buffer.byteLength(line) + 1
    const [place, share] = [`line ${number}`, bytes / size]
    if (line.trim() !== '') yield { number, read: () => parsed(line, place), share }
  }
}

/** Reads the whole file. `jq -c '.users[]'` splits larger documents into lines. */
async function* readDocument(file: string): AsyncGenerator<FileRecord> {
  const document = parsed(await readFile(file, 'utf8'), file)
  const { users, Users } = (document ?? {}) as { users?: unknown; Users?: unknown }
  const list = [document, users, Users].find((one) => Array.isArray(one))
  if (!list) throw new StartError(`${file} has neither a list nor a list named "users".`)
  for (const [index, record] of list.entries())
    yield { number: index + 1, read: () => record, share: (index + 1) / list.length }
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message may quote a hash.
    throw new StartError(`${place} is not valid JSON.`)
  }
}
