export const stageTexts = {
  title: 'Login',
  isNew: 'New here?',
  signUp: 'Sign up',
  loggedIn: 'You’re logged in',
  dashboard: 'Open the dashboard',
  logout: ['Logout', 'Logging out…'],
  logoutFailed: 'You’re still logged in. Try again.',
} as const

export const facesTexts = {
  heading: 'One press logs in as',
  about: { ada: 'A password', chi: 'Two steps', dee: 'GitHub only', gus: '40 devices' },
} as const

export const troubleTexts = {
  heading: 'Break something',
  email: { title: 'Email is down', seen: 'Codes wait until it is back.' },
  providers: { title: 'GitHub is slow', seen: 'After a wait, an error says so. Other ways work.' },
  identity: { title: 'Logins answer 503', seen: 'What you typed stays. Try again.' },
  clock: { title: '25 hours later', seen: 'Sessions have ended.' },
} as const
