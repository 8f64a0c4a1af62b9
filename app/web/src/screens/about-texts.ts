import * as product from '../../../../app.config.ts'

export const aboutTexts = {
  title: 'About us',
  heading: 'About Us',
  lead: `${product.name} is a small web app with accounts: you register, verify your email address, log in and see a dashboard.`,
  // #region sample
  purpose:
    'It shows how these everyday steps can be quick, clear and safe, on a phone or a desktop, with the keyboard alone or with a screen reader.',
  // #endregion sample
} as const
