/** The words of a recovery's last step. */
export const newPasswordTexts = {
  title: 'Choose a new password',
  lead: 'You’re signed in. Your other devices have been signed out.',
  save: ['Set new password', 'Saving…'],
  or: 'Or',
  passkey: ['Add a passkey instead', 'Waiting for your device…'],
  tooLate: 'That took a while. For your safety, please log out and request a new code.',
} as const
