import * as product from '../../../../app.config.ts'

export const aboutTexts = {
  title: 'About us',
  heading: 'About Us',
  lead: `${product.name} is a small web app with accounts: you register, verify your email address, log in and see a dashboard.`,
} as const
