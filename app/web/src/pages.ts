import * as paths from './paths.ts'

/** What the build writes into the file of a page; browsers do not load it. */
export interface PageFacts {
  readonly title: string
  readonly description: string
  /** The screen's source, if it has its own chunk in the build. */
  readonly source?: string
}

/** By the path of its route. */
export const pages: Readonly<Record<string, PageFacts>> = {
  [paths.home]: {
    title: 'My App',
    description: 'My App: register, verify your email address, sign in and see your dashboard.',
    source: 'src/screens/home.tsx',
  },
  [paths.about]: {
    title: 'About us · My App',
    description: 'What My App is: a small web app with accounts and a protected dashboard.',
    source: 'src/screens/about.tsx',
  },
  [paths.login]: {
    title: 'Sign in · My App',
    description: 'Sign in to My App with your email address and password.',
    source: 'src/screens/login.tsx',
  },
  [paths.register]: {
    title: 'Create account · My App',
    description: 'Create your My App account with an email address and a password.',
    source: 'src/screens/register.tsx',
  },
  [paths.verify]: {
    title: 'Verify your email · My App',
    description: 'Enter the code that My App sent to your email address.',
    source: 'src/screens/verify.tsx',
  },
  [paths.recovery]: {
    title: 'Reset your password · My App',
    description: 'Reset your My App password with a code that we email you.',
    source: 'src/screens/recovery.tsx',
  },
  [paths.settings]: {
    title: 'Profile · My App',
    description: 'Your My App account: your name, your email and how the app looks.',
    source: 'src/screens/settings/profile.tsx',
  },
  [paths.security]: {
    title: 'Security · My App',
    description: 'Your passkeys, your password and your second factors.',
    source: 'src/screens/settings/security.tsx',
  },
  [paths.connections]: {
    title: 'Connected accounts · My App',
    description: 'The accounts on other sites that you can sign in with.',
    source: 'src/screens/settings/connections.tsx',
  },
  [paths.devices]: {
    title: 'Devices · My App',
    description: 'Where you are signed in, and how to sign out.',
    source: 'src/screens/settings/devices.tsx',
  },
  [paths.activity]: {
    title: 'Activity · My App',
    description: 'What happened to your account in the last 90 days.',
    source: 'src/screens/settings/activity.tsx',
  },
  [paths.data]: {
    title: 'Your data · My App',
    description: 'Download everything that My App keeps about you, or delete your account.',
    source: 'src/screens/settings/data.tsx',
  },
  [paths.dashboard]: {
    title: 'Dashboard · My App',
    description: 'Your dashboard, as soon as you sign in.',
    source: 'src/screens/dashboard.tsx',
  },
  [paths.error]: {
    title: 'Something went wrong · My App',
    description: 'Something went wrong on the way to My App.',
    source: 'src/screens/error.tsx',
  },
  '*': { title: 'Not found · My App', description: 'There is no page at this address.' },
}
