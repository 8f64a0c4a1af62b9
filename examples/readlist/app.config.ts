// The product's name, theme, navigation, sign-in methods and account data. Pages, emails,
// commands and tests read this file. The logo is app/web/logo.svg.

export const name = 'Readlist'

export const footer = `© 2026 ${name}`

/** The language tag of your texts, such as `de`. Also sets the format of dates. */
export const language = 'en'

/** The description that search engines show. */
export const description = `${name} keeps the links that you want to read.`

/** Descriptions of single pages, by path. The other pages have the general one. */
export const descriptions = {
  '/about': `What ${name} is: a small web app with accounts and a protected dashboard.`,
  '/login': `Log in to ${name} with your email address and password.`,
  '/register': `Create your ${name} account with an email address and a password.`,
}

/** `accent` and `darkAccent` take any CSS color, `font` CSS font families, `radius` the corner radius of buttons and fields. */
export const theme = { accent: 'seagreen', radius: '0.25rem' }

export const navigation = [
  { to: '/', label: 'Home' },
  { to: '/links', label: 'My links' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/about', label: 'About' },
]

/** Footer links, such as `[{ to: '/terms', label: 'Terms' }]`. `to` also takes a URL. */
export const legal: readonly { to: string; label: string }[] = []

/** `minLength` counts characters. */
export const password = { minLength: 6 }

/** Sign-in methods next to the password. The setting SIGN_IN_CODES adds emailed codes. */
export const methods = { passkey: true, totp: true, lookup_secret: true }

/** Providers that the demo simulates. Settings enable real ones: `npm run help start` lists them. */
export const demoProviders: readonly { id: string; label: string }[] = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
]

/** The page that a login opens. */
export const afterLogin = '/dashboard'

/** The tokenizer template of `user_jwt`. */
export const tokenTemplate = 'readlist_jwt'

/** Roles that operators can grant to users. */
export const roles = ['admin', 'editor'] as const

export type Role = (typeof roles)[number]

/** The file name of a user's data export. */
export const exportFile = 'readlist-data.json'

/** Rejects control characters and characters that change the direction of text. */
const ONE_LINE = '^[^\\p{Cc}\\u202a-\\u202e\\u2066-\\u2069]*$'

/** JSON Schema properties of an account. Forms keep their order. */
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

/** Registration requires these traits. The others are on the profile page. */
export const requiredTraits: readonly (keyof typeof traits)[] = ['email', 'name']
