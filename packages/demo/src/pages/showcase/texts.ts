export const showcaseTexts = {
  conversation: 'A login, call by call',
  preview: 'A login form beside its calls to the identity service.',
  copy: 'Copy',
  signedIn: 'Logged in',
  email: 'Email',
  address: 'you@example.com',
  password: 'Password',
  calls: [
    { call: 'GET /self-service/login/browser', found: 'csrf_token · identifier · password' },
    { call: 'POST /self-service/login?flow=b7e4…', found: 'session · active · aal1' },
    { call: 'GET /sessions/whoami', found: 'user_jwt · eyJhbGciOiJFUzI1NiIs…' },
  ],
} as const
