import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { queueEmail } from '../courier/queue.ts'
import { previewMessages, renderTemplate } from '../courier/templates/render.ts'
import { HookRefusal } from '../errors/errors.ts'
import { adminIdentity } from '../identities/show.ts'
import { normaliseAddress } from '../input/identifier.ts'
import { publicSession } from '../sessions/show.ts'
import type { Db } from '../storage/db.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import { fromProductDb, toProductDb } from '../storage/product-db.ts'
import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'
import { messages } from '../ui/messages.ts'
import type { Extension, Hook, Hooks, Mailer, ProductTools } from './extension.ts'

/** Call inside `transact`. Without a hook, they cost nothing. */
export type ProductHooks = ReturnType<typeof createProductHooks>

/** `db` is the database outside of transactions. */
export function createProductHooks({ on = {}, accountData, letters = {} }: Partial<Extension>, db: Db) {
  const run = async <Event extends object>(
    ctx: Context,
    name: keyof Hooks,
    hook: Hook<Event> | undefined,
    describe: () => Event,
  ) => {
    if (!hook) return
    const event = describe()
    await hook.inTransaction?.({ ...event, ...toolsOf(ctx) })
    if (!hook.afterCommit) return
    const outside: Context = { ...ctx, db, afterCommit: (effect) => effect() }
    const work = async () => await hook.afterCommit?.({ ...event, ...toolsOf(outside) })
    ctx.afterCommit(() =>
      ctx.background.run('product hooks', (signal) => patiently(outside, name, work, signal)),
    )
  }
  const about = (ctx: Context, identity: StoredIdentity) => ({ identity: adminIdentity(ctx, identity) })
  const runAbout =
    (name: 'registered' | 'verified' | 'deleted') =>
    (ctx: Context, identity: StoredIdentity): Promise<void> =>
      run(ctx, name, on[name], () => about(ctx, identity))
  return {
    letters,
    registered: runAbout('registered'),
    verified: runAbout('verified'),
    deleted: runAbout('deleted'),
    signedIn: (ctx: Context, found: SessionAndIdentity): Promise<void> =>
      run(ctx, 'signedIn', on.signedIn, () => ({
        ...about(ctx, found.identity),
        session: publicSession(ctx, found),
      })),
    emailChanged: (ctx: Context, identity: StoredIdentity, previous: StoredIdentity): Promise<void> =>
      run(ctx, 'emailChanged', on.emailChanged, () => ({
        ...about(ctx, identity),
        previous: adminIdentity(ctx, previous),
      })),
    /** Undefined if the product stores nothing about accounts. */
    exportData: async (ctx: Context, identityId: string) =>
      await accountData?.export(toProductDb(ctx.db), identityId),
    deleteData: async (ctx: Context, identityId: string) =>
      await accountData?.delete?.(toProductDb(ctx.db), identityId),
  }
}

function toolsOf(ctx: Context): ProductTools {
  return { db: toProductDb(ctx.db), mail: createMailer(() => ctx), now: ctx.now }
}

export function createMailer(current: () => Context): Mailer {
  return {
    send: async ({ to, db, ...email }) => {
      const ctx = current()
      // A trait keeps its spelling; this one was proven.
      const recipient = normaliseAddress(to)
      const hookCtx = db ? { ...ctx, db: fromProductDb(db) } : ctx
      await transact(hookCtx, (ctx) => queueEmail(ctx, { recipient, ...email }))
    },
    preview: (template) => renderTemplate(current(), template, template.sample),
    previewOwn: () => previewMessages(current()),
  }
}

const PAUSES_MS = [1000, 10_000, 45_000]

async function patiently(
  { sleep, log }: Context,
  hook: keyof Hooks,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (const pause of [...PAUSES_MS, undefined]) {
    try {
      return await work()
    } catch (err) {
      if (pause === undefined || signal.aborted) return log.error({ err, hook }, 'product hook failed')
      log.warn({ err, hook }, 'product hook failed; retrying')
      await sleep(pause, signal)
    }
  }
}

/**
 * For a hook to throw inside the transaction: the form shows the sentence, and nothing is stored.
 *
 * @example throw refusal('Sign-ups are open to members of example.com only.')
 */
export function refusal(sentence: string): Error {
  return new HookRefusal([{ message: messages.generic(sentence) }])
}
