import * as paths from '../../paths.ts'
import { product } from '../../product.ts'
import { catalogue } from '../../texts/catalogue.ts'

export const confirmFormTexts = catalogue('confirmForm', {
  working: 'Confirming…',
  verb: 'Continue',
  unknownAddress: 'Your address',
  confirming: {
    title: 'Confirm it’s you',
    before: 'Enter the password for',
    beforeProvider: 'Confirm that you are',
    after: () => '. We’ll then apply your change.',
    button: 'Continue',
    question: 'Changed your mind?',
    back: 'Back to your profile',
    to: paths.settings,
  },
  continuing: {
    title: 'Confirm it’s you',
    before: 'Enter the password for',
    beforeProvider: 'Confirm that you are',
    after: (app = 'the app') => `. You’ll then continue to ${app}.`,
    button: 'Continue',
    question: 'Changed your mind?',
    back: 'Back to the home page',
    to: paths.home,
  },
  finishing: {
    title: 'One last step',
    before: 'You signed up in another browser. Enter the password that you chose there for',
    beforeProvider: 'You signed up in another browser. Log in as you did there, as',
    after: () => '.',
    button: 'Finish and log in',
    question: 'Didn’t sign up, or can’t log in that way? Discard that sign-up and',
    back: 'choose a new password',
    to: paths.recovery,
  },
  linking: {
    title: 'You already have an account',
    before: '',
    beforeProvider: '',
    after: (provider = 'the other one') => ` has an account here. Log in once to connect ${provider}.`,
    button: 'Login and connect',
    question: 'Changed your mind?',
    back: 'Back to Login',
    to: paths.login,
  },
})

export const secondFactorTexts = catalogue('secondFactor', {
  title: 'Two-step login',
  as: 'Logging in as',
  none: 'Your account has a second step that this page can’t ask for.',
  otherAccount: 'Log in with another account',
  lost: ['Can’t get a code?', 'Lost your phone and your backup codes?'],
  lostHelp: () =>
    `A new password doesn’t turn this step off. On a device where you’re still logged in, turn it off under Security. Otherwise, ask the team of ${product().name}.`,
  submit: ['Continue', 'Checking…'],
  beforePassword: 'One more step before you choose a new password.',
  failed: 'That didn’t work. Please try again.',
  totp: {
    lead: 'Enter the six‑digit code from your authenticator app.',
    instead: 'Use your authenticator app',
  },
  lookup_secret: {
    label: 'Backup code',
    lead: 'Enter one of the backup codes that you saved. Each one works once.',
    instead: 'Use a backup code',
    empty: 'Enter one of your backup codes.',
  },
})

export const signInTexts = catalogue('signIn', {
  /** Fixed by the specification. */
  verb: 'Sign in',
  working: 'Logging in…',
  failed: 'Login failed. Please check your credentials.',
  forgot: 'Forgot password?',
  notYou: 'Not you?',
  forget: 'Forget',
  forgotten: 'This browser forgot the address.',
  onward: 'Log in to continue.',
  linkDead:
    'This link works once, for 10 minutes, and only in the browser where you asked for it. Open it there, or enter its code there.',
  deletesOn: (day: string) =>
    `Your account will be deleted on ${day}. Changed your mind? Log in before that and choose to keep it.`,
  // `session.extended_lifespan` in the server's configuration.
  stay: 'Stay logged in for 30 days',
})

export const signInCodeTexts = catalogue('signInCode', {
  send: ['Email me a code', 'Sending…'],
  title: 'Check your email',
  before: 'If there is an account for',
  unknown: 'this address',
  after: ', we’ve sent it a six‑digit code.',
  linked: { title: 'Login', before: 'Log in as', after: ' with the code from your email.' },
  button: 'Login',
  working: 'Logging in…',
  back: 'Change it or log in another way',
})

export const newCodeTexts = catalogue('newCode', {
  question: 'Not verified yet? Check your email for a code, or',
  open: 'get a new one',
  failed: 'That didn’t work. Please try again.',
})

export const passkeyButtonTexts = catalogue('passkeyButton', {
  signIn: ['Sign in with a passkey', 'Waiting for your passkey…'],
  confirm: ['Use a passkey', 'Waiting for your passkey…'],
  cancelled: 'No passkey was used. Try again, or log in another way.',
  failed: 'Your device couldn’t use a passkey. Try another way.',
  unsupported: 'This browser doesn’t support passkeys. Log in another way, or reset your password.',
})
