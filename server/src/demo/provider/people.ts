import { randomBytes, randomInt } from 'node:crypto'

/** Somebody with an account at a demo provider. */
export interface DemoPerson {
  /** The subject: it stays, whatever else changes. */
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly email_verified: boolean
}

/** What is special about somebody new. */
export type Newcomer = 'new' | 'taken' | 'no_email' | 'unverified'

/** Who has an account at one demo provider; kept until the process ends. */
export interface DemoPeople {
  /** Whoever was here last comes first. */
  list(): readonly DemoPerson[]
  find(id: string): DemoPerson | undefined
  /** `email` counts for somebody whose address is to be one that has an account already. */
  add(newcomer: Newcomer, email: string): DemoPerson
  /** Makes somebody the one who was here last. */
  remember(person: DemoPerson): void
}

const maxPeople = 20

export function createPeople(): DemoPeople {
  const people = new Map<string, DemoPerson>()

  function remember(person: DemoPerson): void {
    people.delete(person.id)
    people.set(person.id, person)
    const [oldest] = people.keys()
    if (people.size > maxPeople && oldest !== undefined) people.delete(oldest)
  }

  return {
    list: () => [...people.values()].reverse(),
    find: (id) => people.get(id),
    add(newcomer, email) {
      const person = newPerson(newcomer, email)
      remember(person)
      return person
    },
    remember,
  }
}

function newPerson(newcomer: Newcomer, email: string): DemoPerson {
  // Numbers, as GitHub's are: and new ones after each start, as the accounts of the last run are still there.
  const person = {
    id: String(randomInt(10_000_000, 4_000_000_000)),
    name: `demo-${randomBytes(3).toString('hex')}`,
  }
  switch (newcomer) {
    case 'no_email':
      return { ...person, email_verified: false }
    case 'unverified':
      return { ...person, email: `${person.name}@example.com`, email_verified: false }
    case 'taken':
      return { ...person, email, email_verified: true }
    case 'new':
      return { ...person, email: `${person.name}@example.com`, email_verified: true }
  }
}
