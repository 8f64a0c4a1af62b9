import { expect } from '@playwright/test'
import type { ProductAddresses } from './product.ts'

interface Mail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly code?: string
  readonly use_url?: string
}

/** By recipient. */
export interface Inbox {
  newest(email: string): Promise<Mail>
  /** The newest code of a user, once at least `count` have arrived. */
  code(email: string, count?: number): Promise<string>
}

export function inboxOf({ url }: ProductAddresses): Inbox {
  async function mailsFor(email: string): Promise<Mail[]> {
    const response = await fetch(`${url}/demo/api/mails`)
    const { mails } = (await response.json()) as { mails: Mail[] }
    return mails.filter(({ recipient }) => recipient === email)
  }

  async function arrived(find: () => Promise<Mail[]>, count: number, what: string): Promise<Mail> {
    await expect.poll(async () => (await find()).length, { message: what }).toBeGreaterThanOrEqual(count)
    return (await find())[0]!
  }

  return {
    newest: (email) => arrived(() => mailsFor(email), 1, `emails for ${email}`),
    code: async (email, count = 1) => {
      const find = async () => (await mailsFor(email)).filter((mail) => mail.code !== undefined)
      return (await arrived(find, count, `codes for ${email}`)).code ?? ''
    },
  }
}
