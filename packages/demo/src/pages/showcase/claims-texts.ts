export const builtTexts = {
  built: 'How it is built',
  diagram:
    'The browser talks to one server. That server holds the pages, the API and the identity service, and keeps everything in one database.',
  parts: {
    browser: ['Browser', 'React, prerendered pages'],
    pages: ['Pages', 'and the product API'],
    identity: ['Identity service', 'speaks the Ory protocol'],
    database: ['Database', 'SQLite or PostgreSQL'],
    server: 'One server, one address',
  },
  reasons: 'Why developers choose it',
  provenBy: 'Proof:',
} as const

interface Claim {
  readonly name: string
  readonly text: string
  /** A command that shows it. */
  readonly proof: string
  /** A test compares these with the benchmark results. */
  readonly figures?: readonly {
    readonly name: string
    readonly at_least?: number
    readonly at_most?: number
  }[]
}

/** In the order in which a visitor asks. */
export const claims: readonly Claim[] = [
  {
    name: 'No Docker',
    text: 'One process and one database file. It also runs without a network.',
    proof: 'npm start',
  },
  {
    name: 'Ory clients work unchanged',
    text: 'It speaks the protocol of Ory Kratos, and Kratos can replace it.',
    proof: 'npm run conformance',
  },
  {
    name: 'Every way to log in',
    text: 'Passkeys, authenticator apps, backup codes and providers, each with its screens.',
    proof: 'npm test -- e2e journeys/accounts',
  },
  {
    name: 'For everyone',
    text: 'axe finds nothing to correct on any screen, in both themes.',
    proof: 'npm test -- e2e accessibility',
  },
  {
    name: 'Fast',
    text: 'It starts in half a second and checks 7,000 sessions a second on two cores.',
    proof: 'npm run bench',
    figures: [
      { name: 'whoami', at_least: 7000 },
      { name: 'start to first answer', at_most: 500 },
    ],
  },
  {
    name: 'Private',
    text: 'Nothing from other sites: no trackers, scripts, fonts or pictures. Open source, Apache\u20112.0.',
    proof: 'npm test -- unit header-sets',
  },
]
