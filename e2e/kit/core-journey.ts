import type { Inbox } from './inbox.ts'
import type { User } from './users.ts'
import type { Visitor } from './visitor.ts'

export const pages = ['register', 'verify', 'login', 'dashboard', 'security', 'profile'] as const

interface Journey {
  readonly visitor: Visitor
  readonly user: User
  readonly inbox: Inbox
  /** Each page is shown once. */
  onPage?(page: (typeof pages)[number]): Promise<void>
}

export async function coreJourney({ visitor, user, inbox, onPage = async () => {} }: Journey): Promise<void> {
  await visitor.open('/register')
  await visitor.type('Email', user.email)
  await visitor.type('Password', user.password)
  await onPage('register')
  await visitor.press('Sign up', 'main form')
  await visitor.sees(user.email)
  await onPage('verify')
  await visitor.type('Code', await inbox.code(user.email))
  await visitor.seesHeading('Email Verified!')
  await visitor.press('Go to Login')

  await visitor.seesHeading('Login')
  await visitor.type('Email', user.email)
  await visitor.type('Password', user.password)
  await onPage('login')
  await visitor.press('Login', 'main form')
  await visitor.seesHeading('Dashboard Page')
  await visitor.hasCookie('user_jwt')
  await onPage('dashboard')

  await visitor.press(`Account menu, ${user.email}`)
  await visitor.press('Security', '[popover]')
  await visitor.press('Change password')
  await visitor.sees('New password')
  await onPage('security')
  await visitor.type('New password', 'four rather quiet words')
  await visitor.press('Save password')
  await visitor.sees('Your new password is set.')
  await visitor.press('Profile')
  await visitor.seesHeading('Profile')
  await onPage('profile')

  await visitor.press('Logout')
  await visitor.isAt('/')
  await visitor.open('/dashboard')
  await visitor.isAt('/')
}
