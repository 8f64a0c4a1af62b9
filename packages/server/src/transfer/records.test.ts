import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readRecords } from './records.ts'

const scratch = mkdtempSync(join(tmpdir(), 'my-app-records-'))
after(() => rmSync(scratch, { recursive: true }))

const rows = Array.from({ length: 100 }, (_, index) => ({ email: `user-${index}@example.com` }))

for (const [name, text] of [
  ['rows.csv', `email\n${rows.map(({ email }) => `${email}\n`).join('')}`],
  ['rows.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
  ['rows.json', JSON.stringify(rows)],
  ['firebase.json', JSON.stringify({ users: rows })],
  ['cognito.json', JSON.stringify({ Users: rows })],
] as const)
  test(`reads every record of ${name}`, async () => {
    const file = join(scratch, name)
    writeFileSync(file, text)
    assert.deepEqual(await read(file), rows)
  })

const accounts = [
  { email: 'ada@example.com', name: 'Ada; "the first"' },
  { email: 'jos\u00e9@example.com', name: 'line\nbreak, \u2028 tab\t' },
]
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
const csv = (separator: string, end: string) =>
  ['email', 'name'].join(separator) +
  end +
  accounts.map(({ email, name }) => [email, cell(name)].join(separator) + end).join('')
const lines = accounts.map((account) => JSON.stringify(account))
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()

const read = async (file: string) => {
  const found: object[] = []
  for await (const record of readRecords(file)) found.push({ ...(record.read() as object) })
  return found
}

for (const [title, name, content] of [
  ['an empty last line', 'a.csv', `${csv(',', '\n')}\n\n`],
  ['empty rows of a spreadsheet', 'a.csv', `${csv(',', '\r\n')},\r\n,\r\n`],
  ['semicolons', 'a.csv', csv(';', '\r\n')],
  ['semicolons named for Excel', 'a.csv', `sep=;\r\n${csv(';', '\r\n')}`],
  ['tabs', 'a.csv', csv('\t', '\n')],
  ['spaces in its header', 'a.csv', csv(',', '\n').replace('email,', ' email , ')],
  ['a byte order mark', 'a.csv', `\ufeff${csv(';', '\r\n')}`],
  ['UTF-16 and tabs', 'a.csv', Buffer.from(`\ufeff${csv('\t', '\r\n')}`, 'utf16le')],
  ['UTF-16 with the high byte first', 'a.csv', utf16be(`\ufeff${csv(';', '\r\n')}`)],
  ['UTF-16 without a mark', 'a.csv', Buffer.from(csv(',', '\n'), 'utf16le')],
  ['a byte order mark', 'a.jsonl', `\ufeff${lines.join('\n')}`],
  ['CRLF and empty lines', 'a.ndjson', `\r\n${lines.join('\r\n\r\n')}\r\n`],
  ['UTF-16', 'a.jsonl', Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le')],
  ['a byte order mark', 'a.json', `\ufeff[${lines.join(',\r\n')}]`],
  ['UTF-16', 'a.json', Buffer.from(`\ufeff[${lines.join(',')}]`, 'utf16le')],
] as const)
  test(`reads ${name.slice(2)} with ${title}`, async () => {
    const file = join(scratch, name)
    writeFileSync(file, content)
    assert.deepEqual(await read(file), accounts)
  })

for (const [title, name, content, sentence] of [
  [
    'Latin letters in one byte',
    'a.csv',
    Buffer.from(csv(';', '\n'), 'latin1'),
    /, line 3, is not UTF-8\. Save .*"CSV UTF-8"/,
  ],
  ['Latin letters in one byte', 'a.jsonl', Buffer.from(lines.join('\n'), 'latin1'), /, line 2, is not UTF-8/],
  [
    'too many columns',
    'a.csv',
    `${csv(',', '\n')}a,b,c\n`,
    /, line 5, is not valid CSV: give it as many columns/,
  ],
  [
    'an open quotation mark',
    'a.csv',
    'email,name\na,"b\n',
    /, line \d, is not valid CSV: close its quotation/,
  ],
  ['a stray quotation mark', 'a.csv', 'email,name\na,b"c\n', /, line 2, is not valid CSV: write cells with/],
  ['a list', 'a.jsonl', `[${lines.join(',\n')}]`, /, line 1, begins a list: name the file \.json/],
  ['an account on each line', 'a.json', lines.join('\n'), /not valid JSON \(line 2\).*name the file \.jsonl/],
] as const)
  test(`names the line and the remedy of ${name.slice(2)} with ${title}`, async () => {
    const file = join(scratch, name)
    writeFileSync(file, content)
    await assert.rejects(read(file), sentence)
  })

test('numbers CSV records by the lines of the file, also with line breaks in cells', async () => {
  const file = join(scratch, 'numbered.csv')
  writeFileSync(file, `sep=,\n${csv(',', '\n')}last@example.com,x\n`)
  const numbers: number[] = []
  for await (const { number } of readRecords(file)) numbers.push(number)
  assert.deepEqual(numbers, [3, 5, 6])
})
