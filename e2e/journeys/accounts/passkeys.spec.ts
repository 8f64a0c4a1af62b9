import { few } from '@ostiary/identity/testing/input/sample'
import type { Page } from '@playwright/test'
import { addAuthenticator } from '../../kit/authenticator.ts'
import { test as base, expect } from '../../kit/fixtures.ts'
import type { Wiring } from '../../kit/form-page.ts'
import { type OtherPages, WIRING } from '../../kit/other-pages.ts'
import { newUser, type User } from '../../kit/users.ts'

// Another project's server-rendered pages, with the service's script and Chromium's virtual
// authenticator.

const test = base.extend<{ wiring: Wiring; pages: OtherPages }>({
  pages: async ({ pagesFor }, use) => use(await pagesFor('keys')),
  wiring: ['code', { option: true }],
  baseURL: async ({ pages }, use) => use(pages.url),
  context: async ({ context, pages, wiring }, use) => {
    await context.addCookies([{ name: WIRING, value: wiring, url: pages.url }])
    await use(context)
  },
})

test.describe.configure({ mode: 'default' })

const alert = (page: Page) => page.getByRole('alert')
const removal = (page: Page) => page.getByRole('button', { name: /^Remove the / })

/** The script logs Chromium's error if the user or the device declined. */
const notAllowed = /^NotAllowedError: /

const wirings = [
  ['code', 'run the code in their nodes'],
  ['names', 'call what their nodes name'],
] as const

for (const [wiring, how] of few('wirings', wirings, 1)) {
  test.describe(`on pages that ${how}`, () => {
    test.use({ wiring, provoked: notAllowed })

    test('a user registers and signs in with a passkey', async ({ page }) => {
      const device = await addAuthenticator(page)
      await registerWithPasskey(page)
      await expectProof(page, 'aal1 by passkey')
      await signOut(page)

      // Autofill finds nothing.
      await device.setVerified(false)
      await expectRefusals(page, 1, () => page.goto('/login'))
      await device.setVerified(true)
      await press(page, 'Sign in with a passkey')
      await expectProof(page, 'aal1 by passkey')
      await signOut(page)

      // Autofill signs a present user in at once.
      await page.goto('/login')
      await expectProof(page, 'aal1 by passkey')
    })

    test('a user adds and removes a passkey', async ({ page }) => {
      const device = await addAuthenticator(page)
      await registerWithPassword(page)
      await page.goto('/settings')
      await press(page, 'Add a passkey')
      await expect(removal(page)).toBeEnabled()
      expect(await device.count()).toBe(1)
      await removal(page).click()
      await expect(removal(page)).toHaveCount(0)
      await page.goto('/settings')
      await expect(removal(page)).toHaveCount(0)
    })

    test('a security key is the second factor', async ({ page }) => {
      await addAuthenticator(page, { transport: 'usb', hasUserVerification: false })
      const user = await registerWithPassword(page)
      await expectProof(page, 'aal1 by password')
      await page.goto('/settings')
      await page.getByLabel('Name of the security key').fill('blue')
      await press(page, 'Add a security key')
      await expect(removal(page)).toHaveText('Remove the security key “blue”')
      await signOut(page)

      await page.goto('/login')
      await page.getByLabel('Email').fill(user.email)
      await page.getByLabel('Password').fill(user.password)
      await press(page, 'Sign in with password')
      await press(page, 'Use a security key')
      await expectProof(page, 'aal2 by password, webauthn')
    })
  })
}

test.describe('on a page with one form after the other', () => {
  test.use({ wiring: 'names', provoked: notAllowed })

  test('a passkey can be created while autofill is pending', async ({ page }) => {
    const device = await addAuthenticator(page)
    const registration = await (await page.request.get('/registration')).text()
    await device.setPresence(false)
    await page.goto('/login')
    await page.waitForFunction('window.abortPasskeyConditionalUI')
    await device.setPresence(true)
    await page.evaluate((html) => {
      document.body.replaceWith(new DOMParser().parseFromString(html, 'text/html').body)
    }, registration)
    await page.getByLabel('Email').fill(newUser().email)
    await page.evaluate('window.oryPasskeyRegistration()')
    await expectProof(page, 'aal1 by passkey')
  })
})

test.describe('a device that does not recognise its owner', () => {
  test.use({ provoked: notAllowed })

  test('SEC-61 makes no passkey', async ({ page }) => {
    const device = await addAuthenticator(page, { hasUserVerification: false })
    await page.goto('/registration')
    await page.getByLabel('Email').fill(newUser().email)
    await expectRefusals(page, 1, () => press(page, 'Create account with a passkey'))
    expect(await device.count()).toBe(0)
    await askForLess(page, 'passkey_create_data')
    await press(page, 'Create account with a passkey')
    await expect(alert(page)).toContainText('This passkey could not be added.')
    expect(await device.count()).toBe(1)
    await expectNobody(page)
  })

  test('SEC-61 signs no user in', async ({ page }) => {
    const device = await addAuthenticator(page)
    await registerWithPasskey(page)
    await signOut(page)
    await device.setVerified(false)
    await expectRefusals(page, 1, () => page.goto('/login'))
    // Autofill restarts after the button.
    await expectRefusals(page, 2, () => press(page, 'Sign in with a passkey'))
    await askForLess(page, 'passkey_challenge')
    await press(page, 'Sign in with a passkey')
    await expect(alert(page)).toHaveText('That did not work. Please try again.')
    await expectNobody(page)
  })
})

async function registerWithPasskey(page: Page): Promise<void> {
  const { email } = newUser()
  await page.goto('/registration')
  await page.getByLabel('Email').fill(email)
  await press(page, 'Create account with a passkey')
  await expect(page.getByText(email)).toBeVisible()
}

async function registerWithPassword(page: Page): Promise<User> {
  const user = newUser()
  await page.goto('/registration')
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await press(page, 'Create account')
  await expect(page.getByText(user.email)).toBeVisible()
  return user
}

/** Once the page's script is loaded. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  await page.waitForLoadState()
  await button.click()
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/logout')
  await expectNobody(page)
}

async function expectNobody(page: Page): Promise<void> {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not signed in')
}

async function expectProof(page: Page, proof: string): Promise<void> {
  await expect(page.getByText(proof, { exact: true })).toBeVisible()
}

async function expectRefusals(page: Page, count: number, ask: () => Promise<unknown>): Promise<void> {
  let seen = 0
  const refused = page.waitForEvent('console', (message) => {
    if (notAllowed.test(message.text())) seen += 1
    return seen === count
  })
  await ask()
  await refused
}

/** Like an attacker's page. */
async function askForLess(page: Page, name: string): Promise<void> {
  await page.locator(`[name=${name}]`).evaluate((field: HTMLInputElement) => {
    field.value = field.value.replace('"userVerification":"required"', '"userVerification":"discouraged"')
  })
}
