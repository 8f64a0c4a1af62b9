import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CsvError, parse } from 'csv-parse'
import { StartError } from '../errors.ts'

/** Reads a record. Throws if it cannot be parsed, which says nothing about those that follow it. */
type ReadRecord = () => unknown

/** The records of a file, one after the other: CSV with a header, JSON lines, or one JSON document with a list. */
export async function* readRecords(file: string): AsyncGenerator<ReadRecord> {
  if (file.endsWith('.csv')) yield* readRows(file)
  else if (/\.(jsonl|ndjson)$/.test(file)) yield* readLines(file)
  else if (file.endsWith('.json')) for (const record of await readDocument(file)) yield () => record
  else throw new StartError(`${file} must end with .csv, .jsonl, .ndjson or .json.`)
}

async function* readRows(file: string): AsyncGenerator<ReadRecord> {
  const rows = createReadStream(file).compose(parse({ columns: true, bom: true }))
  try {
    for await (const row of rows) yield () => row as unknown
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    // Its message may quote what it read, such as a hash.
    throw new StartError(`${file}, line ${String(cause.lines)}, is not valid CSV.`, { cause })
  }
}

async function* readLines(file: string): AsyncGenerator<ReadRecord> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1
    const place = `line ${number}`
    if (line.trim() !== '') yield () => parsed(line, place)
  }
}

/** Read whole: `jq -c '.users[]'` makes lines of a document that is too large for that. */
async function readDocument(file: string): Promise<unknown[]> {
  const document = parsed(await readFile(file, 'utf8'), file)
  const list = Array.isArray(document) ? document : (document as { users?: unknown } | null)?.users
  if (Array.isArray(list)) return list
  throw new StartError(`${file} has neither a list nor a list named "users".`)
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message of the parser would quote what it read, such as a hash.
    throw new StartError(`${place} is not valid JSON.`)
  }
}
