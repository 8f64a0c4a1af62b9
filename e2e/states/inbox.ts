import { expect, type Page } from '@playwright/test'
import { inboxOf } from '../kit/inbox.ts'
import { createAccount, newUser, register, type User } from '../kit/users.ts'
import { type Stage, type State, shows, text } from './stage.ts'

export const inboxStates: readonly State[] = [
  shows('demo', ({ page }) => page.goto('/demo'), {
    sees: (page) => page.getByRole('main').getByRole('button', { name: /Gus/ }),
  }),
  shows('inbox, empty', inboxEmpty, { sees: text('No email yet.') }),
  shows('inbox', inboxWithMail),
  shows('inbox, address taken', inboxTaken),
]

async function inboxEmpty({ page }: Stage): Promise<void> {
  await page.route('**/demo/api/mails', (route) => route.fulfill({ json: { mails: [] } }))
  await page.goto('/demo/inbox')
}

async function inboxWithMail({ page, product }: Stage): Promise<void> {
  const user = newUser()
  await register(page.context().request, product, user)
  await inboxOf(product).newest(user.email)
  await openInbox(page, user, /\d{6}/)
}

async function inboxTaken({ page, product }: Stage): Promise<void> {
  const user = newUser()
  await createAccount(product, user)
  await register(page.context().request, product, user)
  await inboxOf(product).newest(user.email)
  await openInbox(page, user, 'You already have an account')
}

async function openInbox(page: Page, { email }: User, words: RegExp | string): Promise<void> {
  await page.route('**/demo/api/mails', async (route) => {
    const response = await route.fetch()
    const { mails } = (await response.json()) as { mails: { recipient: string }[] }
    const own = mails.filter(({ recipient }) => recipient === email)
    await route.fulfill({ response, json: { mails: own } })
  })
  await page.goto('/demo/inbox')
  await expect(page.frameLocator('iframe').locator('body')).toContainText(words)
}
