import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { queueEmail } from '../courier/queue.ts'
import { previewMessages, renderTemplate } from '../courier/templates/render.ts'
import { fromProductDb } from '../storage/product-db.ts'
import type { Mailer } from './extension.ts'

export function createMailer(current: () => Context): Mailer {
  return {
    send: async ({ to: recipient, db, ...email }) => {
      const ctx = current()
      const own = db ? { ...ctx, db: fromProductDb(db) } : ctx
      await transact(own, (ctx) => queueEmail(ctx, { recipient, ...email }))
    },
    preview: (template) => renderTemplate(current(), template, template.sample),
    previewOwn: () => previewMessages(current()),
  }
}
