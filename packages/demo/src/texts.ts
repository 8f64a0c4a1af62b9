// The sentences of the panel and of the inbox. Explanations of calls are in `panel/explain.ts`.

export const demoTexts = {
  demo: 'Demo',
  lost: 'Can’t reach the app. Retrying…',
  wait: 'One moment…',
  failed: 'That did not work. Try again.',
  copy: 'Copy',
  copied: 'Copied',
  links: { stage: 'Start', inbox: 'Inbox', previews: 'Previews' },
} as const

export const panelTexts = {
  tabs: { wire: 'Wire', people: 'People', inbox: 'Inbox', switches: 'Switches' },
  enlarge: 'Enlarge',
  shrink: 'Shrink',
  close: 'Close',
  reset: 'Reset the demo',
  noUser: 'No user is logged in',
  noAddress: 'A user without an address',
  factors: { aal1: 'one factor', aal2: 'two factors' },
  minutesLeft: (count: number) => `${count} min left`,
  hoursLeft: (count: number) => `${count} h left`,
  daysLeft: (count: number) => `${count} days left`,
  latest: 'Calls to the identity service',
  changed: (switches: string) => `Changed: ${switches}`,
  noCalls: 'No calls yet',
  noForm: 'The page has no form that the panel knows. Log in by hand.',
} as const

export const wireTexts = {
  lead: 'Calls of these pages to the identity service. Press one to look inside.',
  none: 'No calls yet. Those of a login show up here.',
  gone: 'The call of this link is no longer recorded.',
  copyCurl: 'Copy as curl',
  copyClient: 'Copy as @ory/client-fetch',
  redirect: 'Redirects to',
  request: 'Request',
  difference: 'Since the last form of this flow',
  same: 'Nothing changed.',
  form: 'Form',
  cookies: 'Cookies',
  noCookies: 'none',
  response: 'Response',
  token: 'user_jwt, decoded',
  more: 'More in',
  requestId: (id: string) => `. Request ${id}.`,
} as const

export const peopleTexts = {
  failed: (reason: string) => `That did not work. ${reason}`,
  lead: '“Log in” opens the login page, fills in its form and sends it.',
  visitor: { name: 'New visitor', about: 'Registers with a fresh address', signUp: 'Sign up' },
  logIn: 'Log in',
  logInAs: (name: string) => `Log in as ${name}`,
  loggingIn: 'Logging in…',
  makingOne: 'Making the account…',
  recreate: ['Recreate', 'Recreating…'],
  recreateOne: (name: string) => `Recreate ${name}`,
  recreated: 'The account is new',
  use: 'Use',
  noCodeAsked: 'The page asks for no code.',
} as const

export const switchTexts = {
  own: {
    clock: {
      title: 'Clock',
      hint: 'Codes expire within 11 min, sessions within 25 h, deleted accounts within 15 days.',
    },
    email: {
      title: 'Email',
      hint: 'bounced: no such mailbox. “npm run admin -- mail list” shows the reason. off: emails wait until delivery is back.',
    },
    providers: {
      title: 'Providers',
      hint: 'denied: the user cancels. garbage: the answer is nonsense. revoked: the user takes the access back.',
    },
    identity: { title: 'Identity service', hint: 'Login, sessions and accounts: late, or out of order.' },
  },
  changed: 'Changed',
  next: 'The page notices with its next request.',
  reload: 'Reload the page',
} as const

export const inboxTexts = {
  title: 'Inbox',
  note: 'Demo: these emails never leave this app',
  previews: 'Email previews',
  previewsNote: 'Demo: samples of every email',
  to: 'To',
  none: 'No email yet. The next one shows up here by itself.',
  opening: 'Opening the emails…',
  openingInbox: 'Opening the inbox…',
  whole: 'Open the whole inbox',
  preview: 'Preview every email',
  list: 'Emails',
  refused: 'Your browser did not allow it',
  use: 'Use the code',
  part: 'Part',
  width: 'Width',
  theme: 'Theme',
  emailOf: (subject: string) => `Email: ${subject}`,
  textPart: 'Text part',
  html: 'HTML',
  text: 'Text',
  newTab: '(opens in a new tab)',
} as const
