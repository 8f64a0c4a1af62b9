import { few } from '@ostiary/identity/testing/input/sample'
import { homeTexts } from '../../../app/texts.ts'
import { aboutColour, violationsIn } from '../../kit/accessibility.ts'
import { skipWithout } from '../../kit/consent.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { fillIn, heading } from '../../kit/screen.ts'

test('the panel shows a login as it happens, and its link opens the same call', async ({ page, account }) => {
  await page.goto('/login')
  await expect(heading(page)).toHaveText('Login')
  const panel = page.getByRole('complementary', { name: 'Demo' })
  await panel.getByRole('button', { name: 'Demo' }).click()
  await expect(panel.getByText('No user is logged in')).toBeVisible()
  await fillIn(page, account)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(heading(page)).toHaveText('Dashboard Page')
  await expect(panel.getByText(account.email)).toBeVisible()

  await panel.getByRole('button', { name: /^POST.*200 OK/ }).click()
  await expect(panel.getByText(/^Logged in\. The response sets the session cookie/)).toBeVisible()
  await expect(panel.locator('pre').first()).toContainText('"password": "$PASSWORD"')
  await expect(page).toHaveURL(/#demo=wire\/[\w-]+$/)
  await page.reload()
  await expect(panel.getByText(/^Logged in\. The response sets the session cookie/)).toBeVisible()
  await panel.getByRole('tab', { name: 'Wire' }).press('Escape')
  await expect(panel.getByRole('button', { name: 'Demo' })).toBeFocused()
})

test('the demo logs in with one press, next to the calls of the form', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('link', { name: /^Demo/ }).click()
  const panel = page.getByRole('complementary', { name: 'Demo' })
  await expect(panel.getByRole('button', { name: /^GET.*login.*200 OK/ })).toBeVisible()
  await page.getByRole('button', { name: /Ada/ }).click()
  await expect(heading(page)).toHaveText('Dashboard Page')
  await expect(heading(page)).toBeFocused()
  await expect(panel.getByRole('button', { name: /^POST.*login.*200 OK/ })).toBeVisible()

  await page.goto('/demo')
  await expect(heading(page)).toHaveText('You’re logged in')
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await expect(heading(page)).toHaveText('Login')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(heading(page)).toHaveText('Sign up')
})

test('no page asks for what it is refused, before or after a login', async ({ page }) => {
  const refused: string[] = []
  page.on(
    'response',
    (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`),
  )
  const visit = async (path: string, title: string) => {
    await page.goto(path)
    await expect(heading(page)).toHaveText(title)
  }
  await visit('/dashboard', homeTexts.heading)
  await visit('/register', 'Sign up')
  await visit('/login', 'Login')
  await page.goto('/demo')
  await page.getByRole('button', { name: /Ada/ }).click()
  await expect(heading(page)).toHaveText('Dashboard Page')
  for (const path of ['/login', '/register', '/recovery']) await visit(path, 'Dashboard Page')
  // Another login ends the session first.
  await page.goto('/demo')
  await page.getByRole('button', { name: /Gus/ }).click()
  // His 40 devices log in first.
  await expect(heading(page)).toHaveText('Dashboard Page', { timeout: 30_000 })
  expect(refused).toEqual([])
})

const otherTabs = { People: 'Two-step login', Inbox: 'Open the whole inbox', Switches: 'Identity service' }

for (const colorScheme of few('themes', ['light', 'dark'] as const, 1))
  test(`the panel is accessible in the ${colorScheme} theme, next to the page and below it`, async ({
    page,
  }) => {
    const rules = colorScheme === 'dark' ? aboutColour : undefined
    await page.emulateMedia({ colorScheme })
    await page.goto('/login#demo=wire')
    const panel = page.getByRole('complementary', { name: 'Demo' })
    await panel.getByRole('button', { name: /^GET/ }).click()
    await expect(panel.getByText(/^Opens a login flow/)).toBeVisible()
    expect(await violationsIn(page, rules)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await violationsIn(page, rules)).toEqual([])
    for (const [tab, shown] of Object.entries(otherTabs)) {
      await panel.getByRole('tab', { name: tab }).click()
      await expect(panel.getByText(shown).filter({ visible: true }).first()).toBeVisible()
      expect(await violationsIn(page, rules)).toEqual([])
    }
  })

test('the panel signs in as a person with two steps, through the forms of the page', async ({ page }) => {
  await page.goto('/#demo=people')
  const panel = page.getByRole('complementary', { name: 'Demo' })
  await panel.getByRole('button', { name: 'Log in as Chi' }).click()
  await expect(heading(page)).toHaveText('Two-step login')
  await panel
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Chi' }) })
    .getByRole('button', { name: 'Use' })
    .click()
  await expect(heading(page)).toHaveText('Dashboard Page')
  await expect(panel.getByText(/^two factors/)).toBeVisible()
})

test('the panel signs in with GitHub, and the wire shows the way there and back', async ({ page }) => {
  skipWithout('GitHub')
  await page.goto('/#demo=people')
  const panel = page.getByRole('complementary', { name: 'Demo' })
  await panel.getByRole('button', { name: 'Log in as Dee' }).click()
  await expect(heading(page)).toHaveText('Dashboard Page')
  await expect(panel.getByText('dee@people.example.com').first()).toBeVisible()
  await panel.getByRole('tab', { name: 'Wire' }).click()
  for (const hop of [/^POST.*422/, /^GET.*providers\/github\/auth.*303/, /^GET.*oidc\/callback\/github.*303/])
    await expect(panel.getByRole('button', { name: hop }).first()).toBeVisible()
  // In a low window, the newest call is in sight.
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.reload()
  await expect(panel.getByRole('tabpanel').getByRole('button').last()).toBeInViewport()
})

test('the panel on a phone does not cover what has the focus', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/demo')
  await expect(page.getByRole('button', { name: /Gus/ })).toBeVisible()
  const panel = page.getByRole('complementary', { name: 'Demo' })
  const top = (await panel.boundingBox())?.y
  await page.getByRole('link', { name: 'Sign up' }).focus()
  const focused = page.locator('main :focus')
  for (; (await focused.count()) > 0; await page.keyboard.press('Tab')) {
    const box = await focused.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0), (await focused.textContent()) ?? '').toBeLessThanOrEqual(
      top ?? 0,
    )
  }
})

test('the buttons of the panel share one line on the narrowest phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/login#demo=wire')
  const topOf = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.y
  expect(await topOf('Close')).toBe(await topOf('Enlarge'))
})

test('the tab of the closed panel covers nothing', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/demo')
  await page.getByRole('button', { name: 'Close' }).click()
  const tab = await page.locator('.demo-tab').boundingBox()
  const end = await page.locator('main code').last().boundingBox()
  expect(tab?.y).toBeGreaterThan((end?.y ?? 0) + (end?.height ?? 0))
})

test('the panel signs up, and its inbox types the code', async ({ page }) => {
  await page.goto('/#demo=people')
  const panel = page.getByRole('complementary', { name: 'Demo' })
  await panel.getByRole('button', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/verify/)
  await panel.getByRole('tab', { name: 'Inbox' }).click()
  await panel.getByRole('button', { name: 'Use' }).first().click()
  await expect(heading(page)).toHaveText('Email Verified!')
  expect(await violationsIn(page)).toEqual([])
})

test.describe('during an outage', () => {
  test.use({ provoked: /^(Failed to load resource: |Error fetching session )/ })

  for (const width of [390, 1280])
    test(`the panel of the demo does not cover the notice in a window of ${width} px`, async ({
      page,
      account,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      await page.goto('/login')
      await fillIn(page, account)
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(heading(page)).toHaveText('Dashboard Page')
      await page.route('**/.ory/**', (route) => route.abort())
      const again = page.getByRole('button', { name: 'Try again' })
      for (const address of ['/', '/about#demo=wire']) {
        await page.goto(address)
        await again.click({ trial: true })
        const notice = page.locator('[data-floating] > *')
        const covered = await notice.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect()
          return [...document.querySelectorAll('.demo-panel[data-height=half], .demo-tab')].some((part) => {
            const box = part.getBoundingClientRect()
            return box.left < right && box.right > left && box.top < bottom && box.bottom > top
          })
        })
        expect(covered, address).toBe(false)
      }
    })
})
