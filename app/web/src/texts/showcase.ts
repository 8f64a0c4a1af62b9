/** The words inside the drawn preview of the app. */
export const showcaseTexts = {
  app: 'My App',
  submit: 'Continue',
  email: 'Email',
  address: 'you@example.com',
  password: 'Password',
  code: 'Your code',
  digits: '418205',
  verified: 'Verified',
  list: 'Repositories',
  rows: [
    { name: 'hello-world', stars: '2,480' },
    { name: 'field-notes', stars: '316' },
    { name: 'paper-boats', stars: '42' },
  ],
} as const
