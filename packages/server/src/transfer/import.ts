import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { z } from 'zod'
import type { AdminClient } from '../admin/admin-client.ts'
import { StartError } from '../http/errors.ts'
import { replaceFile } from '../start/data-folder.ts'
import { type Account, listed } from './account.ts'
import { type FileRecord, readRecords } from './records.ts'
import { hasSecondFactor, type Options, type Source } from './sources.ts'

/** The admin API accepts a thousand and responds to a batch as a whole. */
const BATCH = 100
/** The limit is 5 MiB, with what surrounds the accounts. */
const LARGEST_BATCH = 5_000_000

const countsSchema = z.object({
  /** Number of the last record that was read. */
  read: z.number(),
  imported: z.number(),
  refused: z.number(),
  /** Imported accounts that had a second factor which is not in the file. */
  without_second_factor: z.number(),
})

type Counts = z.infer<typeof countsSchema>

interface Work extends Options {
  readonly admin: AdminClient
  readonly file: string
  readonly source: Source
  /** Adds the hash of a record to an account that was imported without one. */
  readonly merges: boolean
  readonly stop: AbortSignal
  readonly onProgress: (counts: Counts) => void
}

interface Item {
  readonly number: number
  readonly account: Account
  readonly size: number
  readonly hadSecondFactor: boolean
}

const NONE: Counts = { read: 0, imported: 0, refused: 0, without_second_factor: 0 }

/** Files next to the input keep the progress and the reasons of refusals. */
export async function importAccounts({
  admin,
  file,
  source,
  merges,
  stop,
  onProgress,
  ...options
}: Work): Promise<Counts> {
  const progress = `${file}.progress`
  const isContinued = existsSync(progress)
  let counts: Counts = isContinued ? readProgress(progress) : NONE
  if (!isContinued) rmSync(reportOf(file), { force: true })
  const skip = counts.read
  let group: (Item | Refusal)[] = []
  const flush = async () => {
    const lastRecord = group.at(-1)
    if (!lastRecord) return
    const refusals = await settle(admin, group, merges)
    report(file, refusals)
    const refusedNumbers = new Set(refusals.map(({ number }) => number))
    const weakened = group.filter((one) => 'hadSecondFactor' in one && one.hadSecondFactor)
    counts = {
      read: lastRecord.number,
      imported: counts.imported + group.length - refusals.length,
      refused: counts.refused + refusals.length,
      without_second_factor:
        counts.without_second_factor + weakened.filter(({ number }) => !refusedNumbers.has(number)).length,
    }
    group = []
    replaceFile(progress, counts)
    onProgress(counts)
  }
  for await (const record of readRecords(file)) {
    if (record.number <= skip) continue
    const item = readAccount(record, (read) => source(read, options))
    const size = [...group, item].reduce((sum, one) => sum + ('size' in one ? one.size : 0), 0)
    if (size > LARGEST_BATCH) await flush()
    group.push(item)
    if (group.length < BATCH) continue
    await flush()
    if (stop.aborted)
      throw new StartError(
        `Stopped after ${counts.imported + counts.refused} records. The same command continues there.`,
      )
  }
  await flush()
  rmSync(progress, { force: true })
  return counts
}

function readAccount({ number, read }: FileRecord, toAccount: (record: unknown) => Account): Item | Refusal {
  try {
    const record = read()
    const account = toAccount(record)
    const size = Buffer.byteLength(JSON.stringify(account))
    if (size > LARGEST_BATCH) return { number, reason: 'it is larger than 5 MB' }
    return { number, account, size, hadSecondFactor: hasSecondFactor(record) }
  } catch (error) {
    return { number, reason: reasonOf(error) }
  }
}

async function settle(
  admin: AdminClient,
  group: readonly (Item | Refusal)[],
  merges: boolean,
): Promise<Refusal[]> {
  const items = group.filter((one) => 'account' in one)
  const refusals = group.filter((one) => 'reason' in one)
  for (const refusal of items.length > 0 ? await send(admin, items) : []) {
    const item = items.find(({ number }) => number === refusal.number)
    if (!merges || !item || !(await addHash(admin, item.account))) refusals.push(refusal)
  }
  return refusals
}

/** Returns false without a hash, or without an account that lacks one. */
async function addHash(admin: AdminClient, { external_id, credentials }: Account): Promise<boolean> {
  const password = credentials?.password
  if (external_id === undefined || !password) return false
  const path = `/identities/by/external/${encodeURIComponent(external_id)}?include_credential=password`
  const reply = await admin.attempt('GET', path, undefined)
  if ('refusal' in reply) return false
  const { id, credentials: before } = listed.parse(reply.body)
  if (before.password?.config?.hashed_password) return false
  const withHash = (current: unknown) => ({ ...(current as object), credentials: { password } })
  await admin.update(`/identities/${id}`, withHash, 'PUT')
  return true
}

interface Refusal {
  readonly number: number
  readonly reason: string
}

export function reportOf(file: string): string {
  return `${file}.refused.jsonl`
}

function report(file: string, refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return
  const lines = refusals.map((one) => `${JSON.stringify(one)}\n`).join('')
  appendFileSync(reportOf(file), lines, { mode: 0o600 })
}

function readProgress(progress: string): Counts {
  try {
    return countsSchema.parse(JSON.parse(readFileSync(progress, 'utf8')))
  } catch (cause) {
    throw new StartError(`${progress} is damaged. Delete it to import from the beginning.`, { cause })
  }
}

const importAnswer = z.object({
  identities: z.array(
    z.object({
      action: z.string(),
      error: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
    }),
  ),
})

async function send(admin: AdminClient, items: readonly Item[]): Promise<Refusal[]> {
  const identities = items.map(({ account }) => ({ create: account }))
  const tried = await admin.attempt('PATCH', '/identities', { identities })
  if ('body' in tried) {
    const { identities: results } = importAnswer.parse(tried.body)
    return results.flatMap(({ action, error }, index) =>
      action === 'create'
        ? []
        : [{ number: items[index]?.number ?? 0, reason: error?.reason ?? error?.message ?? '' }],
    )
  }
  const [only, ...others] = items
  if (only && others.length === 0) return [{ number: only.number, reason: tried.refusal }]
  // One unreadable record rejects the whole batch, so each is sent alone.
  const refusals: Refusal[] = []
  for (const item of items) refusals.push(...(await send(admin, [item])))
  return refusals
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')
  // The stack overflowed.
  if (error instanceof RangeError) return 'it is nested too deeply'
  return error instanceof Error ? error.message : String(error)
}
