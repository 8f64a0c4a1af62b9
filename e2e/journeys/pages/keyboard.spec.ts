import type { Locator, Page } from '@playwright/test'
import { expect, motion, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'

test.use(motion)

/** With Tab only; the focus must be visible. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let stops = 0; stops < 25; stops += 1) {
    await page.keyboard.press(key)
    expect(await focusWithoutRing(page), 'a ring shows where the focus is').toBe('')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** Undefined with a ring; text fields and radio buttons have it on their container. */
async function focusWithoutRing(page: Page): Promise<string> {
  return await page.evaluate(() => {
    const focused = document.activeElement
    // Then the browser has the focus.
    if (focused === document.body) return ''
    const worn = [focused, focused?.parentElement].map((element) => element && getComputedStyle(element))
    const hasRing = worn.some(
      (style) => style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
    )
    return hasRing ? '' : (focused?.outerHTML.slice(0, 200) ?? 'nothing')
  })
}

test('a user registers and signs in with the keyboard only', async ({ page, user, inbox }) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Sign up', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Sign up', exact: true })).toBeFocused()

  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(user.email)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(user.password)
  await tabTo(page, page.getByRole('button', { name: 'Sign up', exact: true }))
  await page.keyboard.press('Enter')

  await expect(page.getByLabel('Code')).toBeFocused()
  await page.keyboard.type(await inbox.code(user.email))
  await expect(page.getByRole('heading', { level: 1, name: 'Email Verified!' })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Go to Login' }))
  await page.keyboard.press('Enter')

  await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue(user.email)
  await page.keyboard.type(user.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard Page' })).toBeFocused()

  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Logout' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
})

test('a user reaches every account page with the keyboard only', async ({ page, signedIn: _ }) => {
  const go = async (target: Locator, heading: string) => {
    await tabTo(page, target)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeFocused()
  }
  const press = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name, exact: true }))
    await page.keyboard.press('Enter')
  }
  const reload = async () => {
    await page.reload()
    await expect(heading(page)).toBeVisible()
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  }
  const pageOf = (name: string) =>
    page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name })

  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: /^Account menu/ }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Profile', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeFocused()

  await press('Add Name')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Ada')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Name' })).toBeFocused()
  await tabTo(page, page.getByRole('radio', { name: 'System' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Light' })).toBeChecked()

  await reload()
  await go(pageOf('Security'), 'Security')
  await press('Change password')
  await expect(page.getByRole('textbox', { name: 'New password' })).toBeFocused()
  await page.keyboard.type('four rather quiet words')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  for (const name of ['Connected accounts', 'Devices', 'Activity']) {
    await reload()
    await go(pageOf(name), name)
  }

  await reload()
  await go(pageOf('Your data'), 'Your data')
  await press('Delete account')
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Delete account', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await press('Delete my account')
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible()
})

test('the skip link leads past the bar', async ({ page }) => {
  await page.goto('/login')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeFocused()
})
