import * as product from '../../../../app.config.ts'

export const homeTexts = {
  heading: 'Welcome to the Home Page!',
  lead: `This is the landing page of ${product.name}.`,
  more: 'Accounts that work from the first minute: register, verify your email, log in.',
  forDashboard: 'Log in to see the dashboard',
  create: 'Sign up',
  signIn: 'Login',
  openDashboard: 'Open the dashboard',
  openAccount: 'Your account',
} as const
