/** The identity service's messages that pages act upon; all others are shown as they come. */
export const messageIds = {
  /** The account that has the address is to be connected; the message says with which provider. */
  signInToLink: 1010016,
  /** The button that signs in and connects. */
  signInAndLink: 1010018,
  /** An address waits for its code. */
  addressPending: 1050901,
  addressChanged: 1050903,
  undoAddressChange: 1050905,
  addressRestored: 1050906,
  /** The verification has ended what was set up before it. */
  setUpEnded: 1080901,
  provesElsewhere: 1080902,
  generic: 4000001,
  unknownPasskey: 4000015,
  loginExpired: 4010001,
  noLoginMethod: 4010002,
  noProvider: 4010003,
  recoveryExpired: 4060005,
  verificationExpired: 4070005,
  tooManyAttempts: 4290001,
} as const
