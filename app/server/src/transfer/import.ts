import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { AdminClient } from '../admin/admin-client.ts'
import { StartError } from '../http/errors.ts'
import type { Account } from './account.ts'
import { readRecords } from './records.ts'
import type { Options, Source } from './sources.ts'

/** The admin API accepts a thousand and responds to a batch as a whole. */
const BATCH = 100
/** The limit is 5 MiB, with what surrounds the accounts. */
const LARGEST_BATCH = 5_000_000

export interface Counts {
  readonly read: number
  readonly imported: number
  readonly refused: number
}

interface Work extends Options {
  readonly admin: AdminClient
  readonly file: string
  readonly source: Source
  readonly stop: AbortSignal
  /** `share`: the part of the file that has been read. */
  readonly onProgress: (counts: Counts, share: number) => void
}

interface Item {
  readonly number: number
  readonly account: Account
  readonly size: number
}

/** Files next to the input keep the progress and the reasons of refusals. */
export async function importAccounts({
  admin,
  file,
  source,
  stop,
  onProgress,
  ...options
}: Work): Promise<Counts> {
  const progress = `${file}.progress`
  const isContinued = existsSync(progress)
  let counts: Counts = isContinued ? kept(progress) : { read: 0, imported: 0, refused: 0 }
  if (!isContinued) rmSync(reportOf(file), { force: true })
  const skip = counts.read
  let number = 0
  let share = 0
  let group: (Item | Refusal)[] = []
  const flush = async () => {
    const last = group.at(-1)
    if (!last) return
    const refusals = await settle(admin, group)
    report(file, refusals)
    counts = {
      read: last.number,
      imported: counts.imported + group.length - refusals.length,
      refused: counts.refused + refusals.length,
    }
    group = []
    writeFileSync(progress, JSON.stringify(counts), { mode: 0o600 })
    onProgress(counts, share)
  }
  for await (const record of readRecords(file)) {
    number += 1
    share = record.share
    if (number <= skip) continue
    const item = readAccount(number, () => source(record.read(), options))
    if (sizeOf([...group, item]) > LARGEST_BATCH) await flush()
    group.push(item)
    if (group.length < BATCH) continue
    await flush()
    if (stop.aborted)
      throw new StartError(`Stopped after ${number} records. The same command continues there.`)
  }
  await flush()
  rmSync(progress, { force: true })
  return counts
}

function readAccount(number: number, read: () => Account): Item | Refusal {
  try {
    const account = read()
    const size = Buffer.byteLength(JSON.stringify(account))
    return size > LARGEST_BATCH ? { number, reason: 'it is larger than 5 MB' } : { number, account, size }
  } catch (error) {
    return { number, reason: reasonOf(error) }
  }
}

function sizeOf(group: readonly (Item | Refusal)[]): number {
  return group.reduce((sum, one) => sum + ('size' in one ? one.size : 0), 0)
}

async function settle(admin: AdminClient, group: readonly (Item | Refusal)[]): Promise<Refusal[]> {
  const items = group.filter((one) => 'account' in one)
  const refusals = group.filter((one) => 'reason' in one)
  return items.length > 0 ? [...refusals, ...(await send(admin, items))] : refusals
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

const counted = z.object({ read: z.number(), imported: z.number(), refused: z.number() })

function kept(progress: string): Counts {
  try {
    return counted.parse(JSON.parse(readFileSync(progress, 'utf8')))
  } catch (cause) {
    throw new StartError(`${progress} is damaged. Delete it to import from the beginning.`, { cause })
  }
}

const answered = z.object({
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
    const { identities: results } = answered.parse(tried.body)
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
