export const profileTexts = {
  name: {
    title: 'Name',
    none: 'Not set',
    add: 'Add your name',
    change: 'Change name',
    label: 'Your name',
    save: ['Save name', 'Saving…'],
    saved: 'Your name is saved.',
  },
  email: {
    title: 'Email',
    isPending: 'Change pending',
    change: 'Change email',
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
