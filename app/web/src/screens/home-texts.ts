import * as product from '../../../../app.config.ts'

export const homeTexts = {
  heading: 'Welcome to the Home Page!',
  lead: `This is the landing page of ${product.name}.`,
  forDashboard: 'Log in to see the dashboard',
  create: 'Sign up',
  signIn: 'Login',
  openDashboard: 'Open the dashboard',
  demo: 'Demo: look behind these pages',
} as const
