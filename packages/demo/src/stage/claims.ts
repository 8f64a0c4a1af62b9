interface Claim {
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

export const mainClaim =
  'Accounts with every screen, and an Ory-compatible identity service. Started by one command.'

export const claims: readonly Claim[] = [
  {
    text: 'Ory clients work unchanged: the service speaks the protocol of Ory Kratos, and Kratos can replace it.',
    proof: 'npm run conformance',
  },
  {
    text: 'Passkeys, authenticator apps, backup codes and providers, each with accessible screens in light and dark.',
    proof: 'npm test -- e2e accessibility',
  },
  {
    text: 'The whole starts in half a second and checks 7,000 sessions a second on two cores.',
    proof: 'npm run bench',
    figures: [
      { name: 'whoami', at_least: 7000 },
      { name: 'start to first answer', at_most: 500 },
    ],
  },
]
