import { randomBytes, randomInt } from 'node:crypto'

export interface DemoUser {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly email_verified: boolean
}

export type Newcomer = 'new' | 'taken' | 'no_email' | 'unverified'

export interface DemoUsers {
  /** Most recently used first. */
  list(): readonly DemoUser[]
  find(id: string): DemoUser | undefined
  add(newcomer: Newcomer, email: string): DemoUser
  remember(user: DemoUser): void
}

const maxUsers = 20

export function createUsers(): DemoUsers {
  const users = new Map<string, DemoUser>()

  function remember(user: DemoUser): void {
    users.delete(user.id)
    users.set(user.id, user)
    const [oldest] = users.keys()
    if (users.size > maxUsers && oldest !== undefined) users.delete(oldest)
  }

  return {
    list: () => [...users.values()].reverse(),
    find: (id) => users.get(id),
    add(newcomer, email) {
      const user = newUser(newcomer, email)
      remember(user)
      return user
    },
    remember,
  }
}

function newUser(newcomer: Newcomer, email: string): DemoUser {
  // Numbers, as at GitHub. Random, because accounts of the last run still exist here.
  const user = {
    id: String(randomInt(10_000_000, 4_000_000_000)),
    name: `demo-${randomBytes(3).toString('hex')}`,
  }
  switch (newcomer) {
    case 'no_email':
      return { ...user, email_verified: false }
    case 'unverified':
      return { ...user, email: `${user.name}@example.com`, email_verified: false }
    case 'taken':
      return { ...user, email, email_verified: true }
    case 'new':
      return { ...user, email: `${user.name}@example.com`, email_verified: true }
  }
}
