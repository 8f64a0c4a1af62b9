/** The words of the home page. The heading and the lead are those of the specification. */
export const homeTexts = {
  heading: 'Welcome to the Home Page!',
  lead: 'This is the landing page of My App.',
  more: 'Accounts that work from the first minute: register, verify your email, sign in.',
  forDashboard: 'Sign in to see the dashboard',
  create: 'Create account',
  signIn: 'Sign in',
  openDashboard: 'Open the dashboard',
  openAccount: 'Your account',
  preview: 'A preview of the app: a sign-in form, an email being verified, and the dashboard.',
  claims: 'Measured, not promised',
  provenBy: 'Measure it:',
} as const
