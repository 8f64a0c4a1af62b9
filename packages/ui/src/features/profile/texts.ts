import { catalogue } from '../../texts/catalogue.ts'
export const profileTexts = catalogue('profile', {
  email: {
    title: 'Email',
    isPending: 'Change pending',
    change: 'Change',
    what: 'email',
    label: 'New email',
    send: ['Send me a code', 'Sending…'],
    changed: 'Your email is changed.',
    kept: 'Your email stays as it is.',
    pending: 'replaces it once you enter the code that we sent there.',
    confirm: ['Confirm', 'Confirming…'],
    failed: 'That did not work. Try again, or request a new code.',
    resend: ['Send a new code', 'Sending…'],
    keep: ['Keep my email', 'One moment…'],
  },
  theme: {
    title: 'Theme',
    hint: 'For this browser. “System” follows your device.',
    names: { system: 'System', light: 'Light', dark: 'Dark' },
  },
})

/** A title may be any words, such as "Send me news", so it is never part of a sentence. */
export const traitTexts = catalogue('trait', {
  none: 'Not set',
  answers: ['Yes', 'No'],
  add: 'Add',
  change: 'Change',
  save: ['Save', 'Saving…'],
  saved: 'Saved.',
})
