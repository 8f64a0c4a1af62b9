import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse'
import { StartError } from '../errors.ts'

/** The records of a file, one after the other: CSV with a header, JSON lines, or one JSON document with a list. */
export async function* readRecords(file: string): AsyncGenerator<unknown> {
  if (file.endsWith('.csv')) yield* createReadStream(file).pipe(parse({ columns: true, bom: true }))
  else if (/\.(jsonl|ndjson)$/.test(file)) yield* readLines(file)
  else if (file.endsWith('.json')) yield* await readDocument(file)
  else throw new StartError(`${file} must end with .csv, .jsonl, .ndjson or .json.`)
}

async function* readLines(file: string): AsyncGenerator<unknown> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1
    if (line.trim() !== '') yield parsed(line, `${file}, line ${number},`)
  }
}

/** Read whole: `jq -c '.users[]'` makes lines of a document that is too large for that. */
async function readDocument(file: string): Promise<unknown[]> {
  const document = parsed(await readFile(file, 'utf8'), file)
  const { users } = document as { users?: unknown }
  const list = Array.isArray(document) ? document : users
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
