import { error, info, success, withUnix } from './text.ts'

/** By id. The last three digits begin with 9, which Kratos does not use. */
export const ownMessages = {
  // A longer session, chosen at sign-in.
  staySignedIn: (days: number) => info(1010901, `Stay logged in for ${days} days`, { days }),

  // First verification, in another browser than the one that registered.
  provedElsewhere: info(
    1010902,
    'This account was registered in another browser. Log in once to finish, and everything stays. If you can’t, or didn’t register, recover the account: you choose a new password, and what was set up before is removed.',
  ),

  // An address that waits for its code.
  pendingAddress: (address: string, expires_at: string) =>
    info(1050901, `${address} replaces this address once you enter the code that we sent to it.`, {
      address,
      ...withUnix({ expires_at }),
    }),
  cancelPendingAddress: info(1050902, 'Keep this address'),
  addressChanged: success(1050903, 'Your email address is changed.'),
  undoLabel: info(1050904, 'Restore my address'),
  undoAddress: (address: string) =>
    info(
      1050905,
      `Restore ${address} as the address of your account? Every device is then logged out, and you choose a new password.`,
      { address },
    ),
  addressRestored: success(
    1050906,
    'Your email address is restored and every device is logged out. Choose a new password now.',
  ),

  // Verification on the way to another app.
  appSignInEnded: info(1080901, 'Your login to the other app took too long. Continue to start it again.'),

  // Errors.
  noPendingAddress: error(
    4050901,
    'No address is waiting for a code. It may already be confirmed or cancelled.',
  ),
  signInToConfirm: error(
    4050902,
    'Log in to your account in this browser first, or enter the code where you asked for the change.',
  ),
} as const
