import { name } from '../app.config.ts'

// Every sentence of the app's own pages. Those of forms and account pages come with @ostiary/ui.

export const homeTexts = {
  heading: 'Welcome to the Home Page!',
  lead: `This is the landing page of ${name}.`,
  forDashboard: 'Log in to see the dashboard.',
  loggedOut: 'You’re logged out.',
  create: 'Sign up',
  signIn: 'Login',
  openDashboard: 'Open the dashboard',
} as const

export const aboutTexts = {
  title: 'About us',
  heading: 'About Us',
  lead: `${name} is a small web app with accounts: you register, verify your email address, log in and see a dashboard.`,
} as const

export const loginTexts = {
  title: 'Login',
  submit: 'Login',
  isNew: 'New here?',
  signUp: 'Sign up',
} as const

export const registerTexts = {
  title: 'Sign up',
  submit: 'Sign up',
  isKnown: 'Already have an account?',
  signIn: 'Login',
} as const

export const dashboardTexts = {
  title: 'Dashboard',
  heading: 'Dashboard Page',
  lead: 'Welcome to your dashboard! This is a protected route.',
  checking: 'Loading authentication...',
} as const

export const linkTexts = {
  title: 'My links',
  url: 'Link',
  noLink: 'Please enter a link, such as https://example.com/',
  longLink: 'Please enter a shorter link',
  add: 'Add link',
  adding: 'Adding…',
  mine: 'To read',
  newest: 'New from everybody',
  empty: 'Nothing here yet.',
} as const

export const layoutTexts = {
  navigation: 'Main',
  login: 'Login',
} as const
