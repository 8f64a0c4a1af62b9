import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/** Moves with Tab alone, and sees at every stop where the focus is. */
async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  for (let stops = 0; stops < 15; stops += 1) {
    await page.keyboard.press(key)
    expect(await hasVisibleFocus(page), 'a ring shows where the focus is').toBe(true)
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not reach ${target}`)
}

/** A text field wears the ring on the box around it. */
async function hasVisibleFocus(page: Page): Promise<boolean> {
  return await page.evaluate(() => {
    const focused = document.activeElement
    const worn = [focused, focused?.parentElement].map((element) => element && getComputedStyle(element))
    return worn.some(
      (style) => style && style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
    )
  })
}

test('a person registers, verifies, signs in and signs out with the keyboard only', async ({
  page,
  person,
  inbox,
}) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Create account' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Create account' })).toBeFocused()

  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(person.email)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(person.password)
  await tabTo(page, page.getByRole('button', { name: 'Create account' }))
  await page.keyboard.press('Enter')

  await expect(page.getByLabel('Code')).toBeFocused()
  await page.keyboard.type(await inbox.code(person.email))
  await expect(page.getByRole('heading', { level: 1, name: 'Email Verified!' })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Go to Login' }))
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveValue(person.email)
  await tabTo(page, page.getByRole('textbox', { name: 'Password' }))
  await page.keyboard.type(person.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard Page' })).toBeFocused()

  await expect(page.getByRole('button', { name: /^Account menu/ })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Logout' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
})

test('the skip link leads past the bar', async ({ page }) => {
  await page.goto('/login')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Sign up' })).toBeFocused()
})
