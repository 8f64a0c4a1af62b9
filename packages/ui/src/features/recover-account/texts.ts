import { catalogue } from '../../texts/catalogue.ts'
export const newPasswordTexts = catalogue('newPassword', {
  title: 'Choose a new password',
  lead: 'You’re logged in. Your other devices have been logged out.',
  save: ['Set new password', 'Saving…'],
  or: 'Or',
  passkey: ['Add a passkey instead', 'Waiting for your device…'],
  tooLate: 'That took a while. For your safety, please log out and request a new code.',
})

export const recoveryTexts = catalogue('recovery', {
  title: 'Reset your password',
  before: 'If there is an account for',
  unknown: 'this address',
  after: ', we’ve sent it a six‑digit code.',
  handed: 'Enter the code that you got from support.',
  ask: 'Enter your email and we’ll send a six‑digit code.',
  continue: 'Continue',
  checking: 'Checking…',
  failed: 'Recovery failed',
  change: 'Change it',
  remembered: 'Remembered it?',
  signIn: 'Login',
})
