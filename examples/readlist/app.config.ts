// Describes the product. Pages, emails, commands and tests read this file. The logo is
// app/web/logo.svg.

export const name = 'Readlist'

export const footer = `© 2026 ${name}`

/** Of your sentences: a language tag such as `de`. Dates and emails follow. */
export const language = 'en'

/** For search engines. */
export const description = `${name} keeps the links that you want to read.`

/** Descriptions of single pages, by path. */
export const descriptions = {
  '/about': `What ${name} is: a small web app with accounts and a protected dashboard.`,
  '/login': `Log in to ${name} with your email address and password.`,
  '/register': `Create your ${name} account with an email address and a password.`,
}

/** `accent`, `darkAccent`: any CSS color. `font`: CSS font families. `radius`: the corners of buttons and fields. */
export const theme = { accent: 'seagreen', radius: '0.25rem' }

export const navigation = [
  { to: '/', label: 'Home' },
  { to: '/links', label: 'My links' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/about', label: 'About' },
]

/** Linked from the footer: `[{ to: '/terms', label: 'Terms' }]`. A `to` may also be a URL. */
export const legal: readonly { to: string; label: string }[] = []

/** `minLength`: the fewest characters. */
export const password = { minLength: 6 }

/** Besides the password. Codes to log in are the setting SIGN_IN_CODES. */
export const methods = { passkey: true, totp: true, lookup_secret: true }

/** Providers that the demo plays. Settings enable the real ones, and others: `npm run help start` lists them. */
export const demoProviders: readonly { id: string; label: string }[] = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
]

/** The page after a login. */
export const afterLogin = '/dashboard'

/** The template of `user_jwt`. */
export const tokenTemplate = 'readlist_jwt'

/** Roles that operators give to users. */
export const roles = ['admin', 'editor'] as const

export type Role = (typeof roles)[number]

export const exportFile = 'readlist-data.json'

/** Without control characters and those that turn the direction of text. */
const ONE_LINE = '^[^\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]*$'

/** JSON Schema of an account, in the order of the forms. */
export const traits = {
  email: {
    type: 'string',
    format: 'email',
    title: 'Email',
    minLength: 3,
    maxLength: 320,
    'ory.sh/kratos': {
      credentials: {
        password: { identifier: true },
        passkey: { display_name: true },
        totp: { account_name: true },
      },
      verification: { via: 'email' },
      recovery: { via: 'email' },
    },
  },
  name: { type: 'string', title: 'Name', minLength: 1, pattern: ONE_LINE, maxLength: 100 },
  birthday: { type: 'string', format: 'date', title: 'Birthday' },
} as const

/** Registration asks for these. The others are on the profile page. */
export const requiredTraits: readonly (keyof typeof traits)[] = ['email', 'name']
