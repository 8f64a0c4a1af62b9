import { createAccount, newPerson, signIn } from './people.ts'
import type { Stage } from './stage.ts'

/** Signs an account of its own in where the state is brought about. */
export async function signInNewUser({ page, product }: Stage): Promise<void> {
  const person = newPerson()
  await createAccount(product, person)
  await signIn(page.context().request, product, person)
}
