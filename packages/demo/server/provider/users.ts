import { randomBytes, randomInt } from 'node:crypto'

export interface DemoUser {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly email_verified: boolean
}

const maxUsers = 20

export type DemoUsers = ReturnType<typeof createUsers>

export function createUsers() {
  const users = new Map<string, DemoUser>()
  return {
    /** Most recently used first. */
    list: () => [...users.values()].reverse(),
    find: (id: string) => users.get(id),
    remember(user: DemoUser): void {
      users.delete(user.id)
      users.set(user.id, user)
      const [oldest] = users.keys()
      if (users.size > maxUsers && oldest !== undefined) users.delete(oldest)
    },
  }
}

export function newUser(newcomer: 'new' | 'taken' | 'no_email' | 'unverified', email: string): DemoUser {
  // Numbers, as at GitHub. Random, because accounts of the last run still exist here.
  const id = String(randomInt(10_000_000, 4_000_000_000))
  const name = `demo-${randomBytes(3).toString('hex')}`
  if (newcomer === 'no_email') return { id, name, email_verified: false }
  const ownEmail = newcomer === 'taken' ? email : `${name}@example.com`
  return { id, name, email: ownEmail, email_verified: newcomer !== 'unverified' }
}
