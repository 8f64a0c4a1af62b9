import * as product from '../../../../app.config.ts'

export const homeTexts = {
  heading: 'Welcome to the Home Page!',
  lead: `This is the landing page of ${product.name}.`,
  more: 'Accounts with every screen and an Ory-compatible identity service, from one command, offline.',
  forDashboard: 'Log in to see the dashboard',
  create: 'Sign up',
  signIn: 'Login',
  openDashboard: 'Open the dashboard',
  demo: 'Demo',
  doors: [
    { href: '#demo=people', label: 'Ready-made users' },
    { href: '#demo=wire', label: 'Watch the protocol' },
  ],
} as const
