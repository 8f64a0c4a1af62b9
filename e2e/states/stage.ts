import { expect, type Locator, type Page } from '@playwright/test'
import type { ProductAddresses } from '../kit/product.ts'
import { createAccount, newUser, signIn, type User } from '../kit/users.ts'

export interface Stage {
  readonly page: Page
  readonly product: ProductAddresses
}

export interface State {
  readonly name: string
  show(stage: Stage): Promise<void>
}

type Go = (stage: Stage) => Promise<unknown>
type Sight = (page: Page) => Locator
type Then = { readonly press?: never; readonly sees?: Sight } | Pressed
type Pressed = { readonly press: string | RegExp; readonly sees: Sight }

/** Goes to a page, presses a button there, and waits until it shows something. */
export function shows(name: string, go: Go, { press, sees }: Then = {}): State {
  return {
    name,
    async show(stage) {
      await go(stage)
      if (press) await stage.page.getByRole('button', { name: press }).click()
      if (sees) await expect(sees(stage.page)).toBeVisible()
    },
  }
}

export const text =
  (words: string | RegExp): Sight =>
  (page) =>
    page.getByText(words)
export const button =
  (name: string | RegExp): Sight =>
  (page) =>
    page.getByRole('button', { name })
export const label =
  (words: string): Sight =>
  (page) =>
    page.getByLabel(words)

export const at =
  (path: string, heading: string) =>
  ({ page }: Stage) =>
    open(page, path, heading)

/** As a new user. */
export const signedInAt = (path: string, heading: string) => async (stage: Stage) => {
  await signInNewUser(stage)
  await open(stage.page, path, heading)
}

export async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
  await expect(page.getByRole('banner').getByText(/^(Login|Logout)$/)).toBeVisible()
}

export async function signInNewUser({ page, product }: Stage): Promise<User> {
  const user = newUser()
  await createAccount(product, user)
  await signIn(page.context().request, product, user)
  return user
}
