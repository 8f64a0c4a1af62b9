export const profileTexts = {
  email: {
    title: 'Email',
    isPending: 'Change pending',
    change: 'Change',
    what: 'email',
    label: 'New email',
    send: ['Send me a code', 'Sending…'],
    changed: 'Your email is changed.',
    kept: 'Your email stays as it is.',
    pending: 'replaces it once you enter the code that we send there.',
    resend: ['Send a new code', 'Sending…'],
    keep: ['Keep my email', 'One moment…'],
  },
  theme: {
    title: 'Theme',
    hint: 'For this browser. “System” follows your device.',
    names: { system: 'System', light: 'Light', dark: 'Dark' },
  },
} as const

/** "Birthday": "Add your birthday", "Your birthday is saved." */
export function traitTexts(label: string) {
  const inSentence = /^.\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
  return {
    none: 'Not set',
    answers: ['Yes', 'No'],
    add: ['Add', `your ${inSentence}`],
    change: ['Change', inSentence],
    label: `Your ${inSentence}`,
    save: [`Save ${inSentence}`, 'Saving…'],
    saved: `Your ${inSentence} is saved.`,
  } as const
}
