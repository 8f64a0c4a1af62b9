import { error, info, success, withUnix } from './text.ts'

/** By id. The last three digits begin with 9, which Kratos does not use. */
export const ownMessages = {
  // A longer session, chosen at sign-in.
  staySignedIn: (days: number) => info(1010901, `Stay signed in for ${days} days`, { days }),

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
      `Restore ${address} as the address of your account? Every device is then signed out, and you choose a new password.`,
      { address },
    ),
  addressRestored: success(
    1050906,
    'Your email address is restored and every device is signed out. Choose a new password now.',
  ),

  // First verification, in another browser than the one that registered.
  setUpEnded: info(
    1080901,
    'The password, connected accounts and sessions that were set up before are removed. Choose a new password.',
  ),
  provesElsewhere: info(
    1080902,
    'This link was requested in another browser. If the account was registered there, confirming here removes its password, connected accounts and sessions, and you choose a new password. To keep them, enter the code there.',
  ),

  // Errors.
  noPendingAddress: error(
    4050901,
    'No address is waiting for a code. It may already be confirmed or cancelled.',
  ),
  signInToConfirm: error(
    4050902,
    'Sign in to your account in this browser first, or enter the code where you asked for the change.',
  ),
} as const
