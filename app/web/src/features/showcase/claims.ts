/** What the home page claims. A test compares each with the results of `npm run bench`. */
export const claims = [
  {
    figure: '7,000+',
    text: 'session checks a second on a small machine with two cores.',
    proof: { name: 'whoami', at_least: 7000 },
  },
  {
    figure: '< 0.5 s',
    text: 'from the start of the server to its first answer, database included.',
    proof: { name: 'start to first answer', at_most: 500 },
  },
  {
    figure: '< 55%',
    text: 'is how often timing tells a known address from an unknown one. Guessing is 50%.',
    proof: { name: 'signing in: told apart by its time', at_most: 55 },
  },
] as const
