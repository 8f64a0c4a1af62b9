import { homeTexts } from '../../../app/texts.ts'
import { chooseProvider, consent } from '../../kit/consent.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { alert, heading } from '../../kit/screen.ts'

// Switches and reset are for all visitors of a demo, so this one has its own.
test.describe.configure({ mode: 'default' })
test.use({ provoked: /^(Failed to load resource: |Error fetching session )/ })

test('the switches of the panel change what surrounds the app, until a reset', async ({
  page,
  productWith,
}) => {
  const { url, admin_url } = await productWith({})
  const panel = page.getByRole('complementary', { name: 'Demo' })
  const turn = async (name: string, value: string) => {
    await panel.getByRole('tab', { name: 'Switches' }).click()
    const group = panel.getByRole('group', { name })
    const choice = group.getByText(value, { exact: true })
    await choice.hover()
    const place = await group.boundingBox()
    await choice.click()
    await expect(group.getByRole('radio', { name: value, exact: true })).toBeChecked()
    expect(await group.boundingBox(), 'nothing moves under the pointer').toEqual(place)
  }

  await test.step('GitHub', async () => {
    await page.goto(`${url}/#demo=people`)
    await panel.getByRole('button', { name: 'Log in as Ada' }).click()
    await expect(heading(page)).toHaveText('Dashboard Page')
    await turn('GitHub', '100 repositories')
    await panel.getByRole('button', { name: 'Reload the page' }).click()
    await expect(page.getByText('100 repositories', { exact: true }).first()).toBeVisible()
  })
  await test.step('clock', async () => {
    await turn('Clock', '+25 h')
    // A reload during the redirect may lose the notice.
    await page.goto(`${url}/dashboard`)
    await expect(page.getByText(homeTexts.forDashboard)).toBeVisible()
    await turn('Clock', 'now')
  })
  await test.step('bounced email', async () => {
    await turn('Email', 'bounced')
    await panel.getByRole('tab', { name: 'People' }).click()
    await panel.getByRole('button', { name: 'Sign up' }).click()
    await expect(page).toHaveURL(/\/verify/)
    const abandoned = async () => {
      const response = await page.request.get(`${admin_url}/admin/courier/messages?status=abandoned`)
      return ((await response.json()) as object[]).length
    }
    await expect.poll(abandoned).toBe(1)
    await turn('Email', 'delivered')
    await panel.getByRole('tab', { name: 'Inbox' }).click()
    await expect(panel.getByText(/^visitor-/)).toHaveCount(0)
  })
  await test.step('email', async () => {
    await turn('Email', 'off')
    await panel.getByRole('tab', { name: 'People' }).click()
    await panel.getByRole('button', { name: 'Sign up' }).click()
    await expect(page).toHaveURL(/\/verify/)
    await panel.getByRole('tab', { name: 'Inbox' }).click()
    await expect(panel.getByText(/^visitor-/)).toHaveCount(0)
    await turn('Email', 'delivered')
    await panel.getByRole('tab', { name: 'Inbox' }).click()
    await expect(panel.getByText(/^visitor-/).first()).toBeVisible()
  })
  await test.step('providers', async () => {
    await turn('Providers', 'denied')
    await page.goto(`${url}/login#demo=switches`)
    await chooseProvider(page, 'GitHub')
    await consent(page)
    await expect(page.getByText('You cancelled the login.')).toBeVisible()
  })
  await test.step('identity service', async () => {
    await turn('Identity service', 'status 503')
    await panel.getByRole('button', { name: 'Reload the page' }).click()
    await expect(alert(page)).toContainText('We can’t reach the login service right now.')
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com')
    await page.getByLabel('Password', { exact: true }).fill('three quiet words')
    await page.keyboard.press('Enter')
    await expect(alert(page)).toContainText('Your entries stay here.')
    await turn('Identity service', 'normal')
    await expect(alert(page)).toBeHidden()
    await turn('Identity service', 'status 503')
  })
  await expect(panel.getByRole('list', { name: 'Changed' }).getByRole('listitem')).toHaveText([
    'Providers: denied',
    'Identity service: status 503',
    'GitHub: 100 repositories',
  ])
  await panel.getByRole('button', { name: 'Reset the demo' }).click()
  await expect(panel.getByText('No user is logged in')).toBeVisible()
  await expect(panel.getByText(/^No calls yet\./)).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Changed' })).toHaveCount(0)
})
