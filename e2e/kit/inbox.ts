import { expect } from '@playwright/test'
import type { ProductAddresses } from './product.ts'

export interface Mail {
  readonly id: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly code?: string
  readonly use_url?: string
}

/** The demo's emails, by recipient. */
export interface Inbox {
  /** The newest email of a user, once at least `count` have arrived. */
  newest(email: string, count?: number): Promise<Mail>
  code(email: string, count?: number): Promise<string>
  count(email: string): Promise<number>
}

export function inboxOf({ url }: ProductAddresses): Inbox {
  async function mailsFor(email: string): Promise<Mail[]> {
    const response = await fetch(`${url}/demo/api/mails`)
    const { mails } = (await response.json()) as { mails: Mail[] }
    return mails.filter(({ recipient }) => recipient === email)
  }

  async function newest(email: string, count = 1): Promise<Mail> {
    let mails: Mail[] = []
    const arrive = async () => {
      mails = await mailsFor(email)
      return mails.length
    }
    await expect.poll(arrive, { message: `emails for ${email}` }).toBeGreaterThanOrEqual(count)
    return mails[0]!
  }

  return {
    newest,
    code: async (email, count) => {
      const mail = await newest(email, count)
      expect(mail.code).toMatch(/^\d{6}$/)
      return mail.code ?? ''
    },
    count: async (email) => (await mailsFor(email)).length,
  }
}
