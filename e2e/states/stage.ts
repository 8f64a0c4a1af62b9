import { expect, type Page } from '@playwright/test'
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
