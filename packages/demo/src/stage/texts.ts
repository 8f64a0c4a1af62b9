export const stageTexts = {
  title: 'Login',
  isNew: 'New here?',
  signUp: 'Sign up',
  loggedIn: 'You’re logged in',
  continue: 'Continue',
  logout: ['Logout', 'Logging out…'],
  logoutFailed: 'You’re still logged in. Try again.',
} as const

export const facesTexts = {
  heading: 'Log in with one press',
  about: { ada: 'Password', chi: 'Two steps', dee: 'GitHub', gus: '40 devices' },
} as const

export const troubleTexts = {
  heading: 'Break something',
  email: { title: 'Email is down', seen: 'Codes arrive once it is up again.' },
  providers: { title: 'GitHub is slow', seen: 'Its answer comes too late.' },
  identity: { title: 'Logins answer 503', seen: 'The form keeps what you typed.' },
  clock: { title: '25 hours later', seen: 'Every session has ended.' },
} as const
