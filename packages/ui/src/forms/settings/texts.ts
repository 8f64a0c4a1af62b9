import { catalogue } from '../../texts/catalogue.ts'
export const accountTexts = catalogue('account', {
  savingFailed: 'Your changes could not be saved.',
  sessionEnded: 'Your session has ended. Please log in again.',
  changedElsewhere: 'This was changed in another tab. Save again to replace it, or cancel to see it.',
  newPassword: 'New password',
})

export const confirmTexts = catalogue('confirm', {
  title: 'Confirm it’s you',
  before: 'Confirm that you are',
  unknown: 'the owner of this account',
  after: '. We’ll then carry on where you left off.',
  password: 'Password',
  empty: 'Enter your password.',
  submit: ['Continue', 'Confirming…'],
  passkey: ['Use a passkey', 'Waiting for your passkey…'],
  provider: (name: string) => `Continue with ${name}`,
  failed: 'That didn’t work. Please try again.',
})

export const addPasskeyTexts = catalogue('addPasskey', {
  cancelled: 'No passkey was added. You can try again at any time.',
  isKnownHere: 'This device already has a passkey for your account.',
  failed: 'Your device couldn’t create a passkey. Please try again.',
})
