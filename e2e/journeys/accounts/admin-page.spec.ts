import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import { expect, test } from '../../kit/fixtures.ts'
import { createAccount, newUser, register, signIn } from '../../kit/users.ts'

const TOKEN = 'a-token-of-the-journeys-that-is-long-enough'

test('an operator finds an account, signs it out, disables, enables, gives it a role and deletes it, by the keyboard alone', async ({
  page,
  product,
  signedIn,
  context,
}) => {
  await page.goto(`${product.admin_url}/ui/accounts`)
  await page.getByLabel('Email address or id').fill(signedIn.email)
  await page.keyboard.press('Enter')
  const row = page.getByRole('link', { name: signedIn.email })
  await expect(page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')).toHaveCount(1)
  await row.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: signedIn.email })).toBeFocused()

  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByText('Live')).toBeVisible()
  await expect(
    page
      .getByRole('region', { name: 'Activity' })
      .getByText(/ on |An app/)
      .first(),
  ).toBeVisible()
  await sessions.getByRole('button', { name: 'Log out everywhere' }).press('Enter')
  await page.keyboard.press('Escape')
  await expect(sessions.getByText('Live')).toBeVisible()
  await sessions.getByRole('button', { name: 'Log out everywhere' }).press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(sessions.getByText('Logged out everywhere.')).toBeVisible()
  expect((await context.request.get(`${product.url}/.ory/sessions/whoami`)).status()).toBe(401)

  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('button', { name: 'Disable account' }).press('Enter')
  await details.getByRole('button', { name: 'Disable account' }).press('Enter')
  await expect(details.getByText('The account is disabled.')).toBeVisible()
  await details.getByRole('button', { name: 'Enable account' }).press('Enter')
  await expect(details.getByText('The account is enabled.')).toBeVisible()
  await signIn(context.request, product, signedIn)

  const roles = page.getByRole('region', { name: 'Roles' })
  await roles.getByRole('button', { name: 'Add editor' }).press('Enter')
  await expect(roles.getByText('Give this account the role editor?')).toBeVisible()
  await roles.getByRole('button', { name: 'Add editor' }).press('Enter')
  await expect(roles.getByText('The account has the role editor now.')).toBeVisible()
  await roles.getByRole('button', { name: 'Remove editor' }).press('Enter')
  await expect(roles.getByRole('button', { name: 'Add editor' })).toBeVisible()

  const deletion = page.getByRole('region', { name: 'Delete account' })
  await deletion.getByRole('button', { name: 'Delete account' }).press('Enter')
  await expect(deletion.getByText(`Delete ${signedIn.email} for good?`)).toBeVisible()
  await deletion.getByRole('button', { name: 'Delete account' }).press('Enter')
  await expect(page.getByText(`${signedIn.email} was deleted.`)).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'No such account' })).toBeVisible()
})

test('an operator resends a verification and hands over a recovery code', async ({
  page,
  product,
  inbox,
  user,
}) => {
  await createAccount(product, user, { verified: false })
  await page.goto(`${product.admin_url}/ui/accounts?q=${encodeURIComponent(user.email)}`)
  await page.getByRole('link', { name: user.email }).click()
  await page.getByRole('button', { name: 'Send verification' }).click()
  await expect(page.getByText(`A code is on its way to ${user.email}.`)).toBeVisible()
  const { code } = await inbox.newest(user.email)
  expect(code).toMatch(/^\d{6}$/)

  const recovery = page.getByRole('region', { name: 'Recovery' })
  await recovery.getByRole('button', { name: 'Create recovery code' }).click()
  const handed = await recovery.getByText(/^\d{6}$/).innerText()
  await expect(page.getByText('Recovery code created by support')).toBeVisible()
  const link = (await recovery.innerText()).match(/http\S+/)?.[0] ?? ''
  await page.goto(link)
  await expect(page.getByText('Enter the code that you got from support.')).toBeVisible()
  // The operator chooses how long it works.
  await expect(page.getByText('Each code works for 10 minutes.')).toHaveCount(0)
  await page.getByRole('textbox', { name: /code/i }).fill(handed)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'New password' }).fill('four rather quiet words')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/(settings|dashboard)/)
})

test('the overview shows health and figures, and the audit list who did what', async ({ page, product }) => {
  const user = newUser()
  await createAccount(product, user)
  await signIn(page.context().request, product, user)
  await page.goto(`${product.admin_url}/`)
  await expect(page).toHaveURL(`${product.admin_url}/ui`)
  await expect(page.getByText('Takes requests and can write')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Back to / })).toHaveAttribute('href', product.url)
  await expect(page.getByText('Live sessions')).toBeVisible()
  await expect(page.getByText('counted once a minute')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Logins per day' }).getByRole('listitem')).toHaveCount(14)
  await page.getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('link', { name: 'Queued' }).click()
  await expect(page).toHaveURL(/status=queued/)
  await page.getByRole('link', { name: 'Audit' }).click()
  const created = page.getByRole('listitem').filter({ hasText: user.email })
  await expect(created.getByText('Create an account')).toBeVisible()
  await page.goto(`${product.admin_url}/ui/nowhere`)
  await expect(page.getByRole('heading', { name: '404 Not Found' })).toBeVisible()
})

test.describe('with a token and a failing mail server', () => {
  test.use({ provoked: /Failed to load resource: (the server responded with a status of 401|net::ERR)/ })

  test('the page asks for the token once, never stores it, and can resend an email', async ({
    page,
    context,
    start,
  }) => {
    let isFull = true
    const mail = await startMailServer({ on_recipient: () => (isFull ? 550 : undefined) })
    const product = await start({ ADMIN_UI: 'on', ADMIN_TOKEN: TOKEN, SMTP_URL: mail.uri })
    const user = newUser()
    const token = page.getByLabel('Admin token')

    await page.goto(`${product.admin_url}/ui/emails`)
    await expect(token).toBeFocused()
    await token.fill('not this one')
    await page.keyboard.press('Enter')
    await expect(page.getByText('That is not the token of this server.')).toBeVisible()
    await token.fill(TOKEN)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Emails' })).toBeVisible()
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toContain(TOKEN)

    await register(context.request, product, user)
    const row = page.getByRole('button', { name: new RegExp(user.email) })
    await expect(async () => {
      await page.getByRole('link', { name: 'All', exact: true }).click()
      await page.getByRole('link', { name: 'Failed' }).click()
      await expect(row).toBeVisible({ timeout: 5_000 })
    }).toPass({ timeout: 20_000 })
    await row.press('Enter')
    await expect(page.getByText(/550/)).toBeVisible()
    isFull = false
    await page.getByRole('button', { name: 'Send again' }).press('Enter')
    await expect(row).toBeHidden()
    await expect.poll(() => mail.received.map(({ to }) => to)).toEqual([user.email])

    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(token).toBeVisible()
    await mail.stop()
  })
})
