import * as product from '../../../../app.config.ts'

export const homeTexts = {
  heading: 'Welcome to the Home Page!',
  lead: `This is the landing page of ${product.name}.`,
  more: 'One command starts accounts with every screen and an Ory-compatible identity service, even offline.', // sample
  forDashboard: 'Log in to see the dashboard',
  create: 'Sign up',
  signIn: 'Login',
  openDashboard: 'Open the dashboard',
  demo: 'Demo',
  doors: [
    { href: '#demo=people', label: 'Log in as a ready-made user' },
    { href: '#demo=wire', label: 'Watch the protocol' },
  ],
} as const
