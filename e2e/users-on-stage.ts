import type { Stage } from './stage.ts'
import type { User } from './users.ts'
import { createAccount, newUser, signIn } from './users.ts'

/** Signs a new user in on the stage. */
export async function signInNewUser({ page, product }: Stage): Promise<User> {
  const user = newUser()
  await createAccount(product, user)
  await signIn(page.context().request, product, user)
  return user
}
