import { name as productName } from '../../../app.config.ts'
import { overflow, violationsIn } from '../../kit/accessibility.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'
import { register } from '../../kit/users.ts'

test('an email appears without a reload, and its code can be copied', async ({
  page,
  context,
  product,
  user,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/demo/inbox')
  await expect(heading(page)).toHaveText('Inbox')
  await expect(page.getByText('Demo: these emails never leave this app')).toBeVisible()
  await register(context.request, product, user)
  const entry = page.getByRole('navigation', { name: 'Emails' }).getByRole('button', { name: user.email })
  await expect(entry).toBeVisible()
  await entry.click()

  const mail = page.getByRole('article')
  const subject = await mail.getByRole('heading', { level: 2 }).textContent()
  const code = /\d{6}/.exec(subject ?? '')?.[0] ?? ''
  expect(subject).toContain(productName)
  expect(code).toHaveLength(6)
  await expect(mail.locator('iframe')).toHaveAttribute('sandbox', /^(?!.*allow-scripts)/)
  await expect(mail.frameLocator('iframe').locator('body')).toContainText(code)
  await mail.getByText('Text', { exact: true }).click()
  await expect(mail.getByRole('region', { name: 'Text part' })).toContainText(code)

  await mail.getByRole('button', { name: `Copy ${code}` }).click()
  await expect(mail.getByText('Copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
})

test('an email to a long address is shown whole', async ({ page, context, product, user }) => {
  const email = `${'long'.repeat(8)}${user.email}`
  await register(context.request, product, { ...user, email })
  await page.goto('/demo/inbox')
  await page.getByRole('button', { name: email }).click()
  const mail = page.getByRole('article').frameLocator('iframe')
  await expect(mail.getByText(email)).toBeVisible()
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const hidden = await mail
      .locator('html')
      .evaluate((html) => [html.scrollWidth - html.clientWidth, html.scrollHeight - html.clientHeight])
    expect(hidden).toEqual([0, 0])
  }
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`every email has a preview, in both widths and themes, in the ${colorScheme} theme`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('/demo/emails')
    await page.getByRole('button', { name: 'security_digest' }).click()
    const mail = page.getByRole('article')
    const body = mail.frameLocator('iframe').locator('body')
    await expect(body).toContainText('Your password was changed 2 times')
    for (const [theme, color] of [
      ['Light', 'rgb(248, 250, 251)'],
      ['Dark', 'rgb(11, 19, 22)'],
    ] as const) {
      await mail.getByText(theme, { exact: true }).click()
      await expect(body).toHaveCSS('background-color', color)
    }
    for (const width of [320, 600]) {
      await mail.getByText(`${width} px`).click()
      expect((await mail.locator('iframe').boundingBox())?.width).toBe(width)
    }
    expect(await violationsIn(page)).toEqual([])
    await mail.getByText('Text', { exact: true }).click()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await overflow(page)).toBe(0)
    expect(await violationsIn(page)).toEqual([])
  })
