import { few } from '@ostiary/identity/testing/input/sample'
import type { Page } from '@playwright/test'
import { expireCodes, expireFlow } from '../../kit/database.ts'
import { expect, test } from '../../kit/fixtures.ts'
import type { ProductAddresses } from '../../kit/product.ts'
import { alert, enterPassword, heading } from '../../kit/screen.ts'
import { createAccount } from '../../kit/users.ts'

const code = (page: Page) => page.getByRole('textbox', { name: 'Code' })

const wrong = (right: string, turn = 0) => String((Number(right) + 1 + turn) % 1_000_000).padStart(6, '0')

function countSubmissions(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/self-service/verification')) count += 1
  })
  return () => count
}

test('pasting "Your code is 123 456" submits the code once', async ({ page, context, registered, inbox }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/verify?flow=${registered.verification}`)
  const submissions = countSubmissions(page)
  const right = await inbox.code(registered.email)
  const text = `Your code is ${right.slice(0, 3)} ${right.slice(3)}`
  await page.evaluate((words) => navigator.clipboard.writeText(words), text)
  await code(page).focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(heading(page)).toHaveText('Email Verified!')
  expect(submissions()).toBe(1)
})

test('after five wrong codes a new one works', async ({ page, registered, inbox }) => {
  await page.goto(`/verify?flow=${registered.verification}`)
  const right = await inbox.code(registered.email)
  for (let turn = 0; turn < 5; turn += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    await code(page).fill(wrong(right, turn))
    await answered
    await expect(alert(page)).toHaveText('That code is incorrect or already used. Please check it.')
  }
  await code(page).fill(right)
  await expect(alert(page)).toHaveText(/^Too many incorrect codes\./)
  await page.getByLabel('Email').fill(registered.email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await code(page).fill(await inbox.code(registered.email, 2))
  await expect(heading(page)).toHaveText('Email Verified!')
})

const endings: { what: string; end(product: ProductAddresses, flow: string): void }[] = [
  { what: 'code', end: expireCodes },
  {
    what: 'page',
    end: (product, flow) => {
      expireFlow(product, flow)
      expireCodes(product, flow)
    },
  },
]

for (const { what, end } of few('endings', endings, 1)) {
  test(`an expired ${what} sends a new code`, async ({ page, product, registered, inbox }) => {
    const flow = registered.verification
    await page.goto(`/verify?flow=${flow}`)
    const old = await inbox.code(registered.email)
    await expect(code(page)).toBeVisible()
    end(product, flow)
    await code(page).fill(old)
    await expect(page.getByText('That code has expired. We’ve requested a new one for you.')).toBeVisible()
    await code(page).fill(await inbox.code(registered.email, 2))
    await expect(heading(page)).toHaveText('Email Verified!')
  })
}

test('the link in another browser fills the code in, and the password finishes', async ({
  page: first,
  otherBrowser,
  registered,
  inbox,
}) => {
  const page = await otherBrowser.newPage()
  const { use_url, code: right } = await inbox.newest(registered.email)
  const submissions = countSubmissions(page)
  await page.goto(use_url ?? '')
  await expect(code(page)).toHaveValue(right ?? '')
  expect(submissions()).toBe(0)
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(heading(page)).toHaveText('One last step')
  await expect(page.getByText(registered.email)).toBeVisible()
  const password = page.getByRole('textbox', { name: 'Password' })
  await password.fill('not the right words')
  await password.press('Enter')
  await expect(alert(page)).toBeVisible()
  await password.fill(registered.password)
  await password.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await first.goto('/login')
  await enterPassword(first, registered)
  await expect(first).toHaveURL('/dashboard')
})

test('SEC-24 an owner who registered nothing recovers the account and ends the rest', async ({
  page: planter,
  otherBrowser,
  registered,
  inbox,
}) => {
  const page = await otherBrowser.newPage()
  await page.goto((await inbox.newest(registered.email)).use_url ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('link', { name: 'choose a new password' }).click()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await code(page).fill(await inbox.code(registered.email, 2))
  await expect(page.getByLabel('New password')).toBeVisible()
  await planter.goto('/login')
  await enterPassword(planter, registered)
  await expect(alert(planter)).toBeVisible()
})

test('a verification in one tab updates the other', async ({ page, context, registered, inbox }) => {
  await page.goto(`/verify?flow=${registered.verification}`)
  await expect(code(page)).toBeVisible()
  const second = await context.newPage()
  await second.goto((await inbox.newest(registered.email)).use_url ?? '')
  await second.getByRole('button', { name: 'Verify' }).click()
  await expect(heading(second)).toHaveText('Email Verified!')
  await expect(heading(page)).toHaveText('Email Verified!')
})

test('SEC-13 signing in before the verification looks like a wrong password', async ({
  page,
  product,
  user,
  inbox,
}) => {
  await createAccount(product, user, { verified: false })
  await page.goto('/login')
  await enterPassword(page, user)
  await expect(
    page.getByText('Incorrect email or password, or this address isn’t verified yet.'),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  await page.getByRole('button', { name: 'get a new one' }).click()
  await expect(page).toHaveURL(/\/verify\?flow=/)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(code(page)).toBeVisible()
  await code(page).fill(await inbox.code(user.email))
  await expect(heading(page)).toHaveText('Email Verified!')
})

test('a user finds a mistyped address in the form', async ({ page, registered }) => {
  await page.goto(`/verify?flow=${registered.verification}`)
  await page.getByRole('link', { name: 'Use a different email' }).click()
  await expect(page).toHaveURL('/register')
  await expect(page.getByLabel('Email')).toHaveValue(registered.email)
})
