import { isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { StartError } from '../http/errors.ts'

const NEWLINE = 0x0a

export interface TextLines {
  /** Without `\n` and byte order mark. */
  readonly lines: AsyncIterable<string>
  /** Bytes of the file for each byte of its text in UTF-8, if that is ASCII. */
  readonly width: 1 | 2
}

/** Reads UTF-8 and the UTF-16 of Excel. Throws `StartError` with the line of other encodings. */
export async function readTextLines(file: string): Promise<TextLines> {
  const encoding = encodingOf(await firstBytes(file))
  const lines = encoding === 'utf-8' ? utf8Lines(file) : utf16Lines(file, encoding)
  return { lines: withoutMark(lines), width: encoding === 'utf-8' ? 1 : 2 }
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
  let number = 0
  let incompleteLine = Buffer.alloc(0)
  const decoded = (bytes: Buffer) => {
    number += 1
    if (isUtf8(bytes)) return bytes.toString('utf8')
    throw new StartError(
      `${file}, line ${number}, is not UTF-8. Save the file as UTF-8 (Excel: "CSV UTF-8").`,
    )
  }
  for await (const chunk of createReadStream(file)) {
    const bytes = Buffer.concat([incompleteLine, chunk as Buffer])
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield decoded(bytes.subarray(start, end))
      start = end + 1
    }
    incompleteLine = bytes.subarray(start)
  }
  if (incompleteLine.length > 0) yield decoded(incompleteLine)
}

async function* utf16Lines(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  let incompleteLine = ''
  for await (const chunk of createReadStream(file)) {
    const lines = (incompleteLine + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    incompleteLine = lines.pop() ?? ''
    yield* lines
  }
  incompleteLine += decoder.decode()
  if (incompleteLine !== '') yield incompleteLine
}

async function* withoutMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isFirst = true
  for await (const line of lines) {
    yield isFirst ? line.replace(/^\ufeff/, '') : line
    isFirst = false
  }
}
