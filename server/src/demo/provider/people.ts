import { randomBytes, randomInt } from 'node:crypto'

/** An account at a demo provider. */
export interface DemoPerson {
  /** The subject: stable, whatever else changes. */
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly email_verified: boolean
}

/** What is special about a new account. */
export type Newcomer = 'new' | 'taken' | 'no_email' | 'unverified'

/** The accounts at one demo provider; kept until the process ends. */
export interface DemoPeople {
  /** The most recently used first. */
  list(): readonly DemoPerson[]
  find(id: string): DemoPerson | undefined
  /** `email` applies to the kind whose address already has an account here. */
  add(newcomer: Newcomer, email: string): DemoPerson
  /** Marks an account as the most recently used. */
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
  // Numbers, as GitHub's are, and new ones at each start, because accounts of the last run still exist here.
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
