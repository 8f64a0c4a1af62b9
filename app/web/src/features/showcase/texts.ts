export const showcaseTexts = {
  preview: 'A preview of the app: a login form, an email being verified, and the dashboard.',
  claims: 'Measured, not promised',
  provenBy: 'Measure it:',
  submit: 'Continue',
  email: 'Email',
  address: 'you@example.com',
  password: 'Password',
  code: 'Your code',
  digits: '418205',
  verified: 'Verified',
  list: 'Repositories',
  rows: [
    { name: 'hello-world', stars: '2,480' },
    { name: 'field-notes', stars: '316' },
    { name: 'paper-boats', stars: '42' },
  ],
} as const

/** The claims of the home page. A test compares each with the benchmark results. */
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
