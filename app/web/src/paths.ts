// The addresses of the app, which the identity configuration of the server names too. One constant each keeps
// unused ones out of a bundle.

import { privatePages } from '../../../app.config.ts'

export const home = '/'
export const about = '/about'
export const login = '/login'
export const register = '/register'
export const verify = '/verify'
export const recovery = '/recovery'
export const settings = '/settings'
export const security = '/settings/security'
export const connections = '/settings/connections'
export const devices = '/settings/devices'
export const activity = '/settings/activity'
export const data = '/settings/data'
export const dashboard = '/dashboard'
export const error = '/error'

/** Where anonymous visitors are redirected. Undefined for public pages. */
export function entranceTo(path: string): typeof home | typeof login | undefined {
  if (path === dashboard) return home
  const isPrivate = privatePages.some((page) =>
    new RegExp(`^${page.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  )
  return isPrivate || /^\/settings(\/\w+)?$/.test(path) ? login : undefined
}

export const secondFactor = `${login}?aal=aal2`

export const newPassword = `${recovery}?step=password`

/** The OAuth 2.0 request comes after the new password, so the steps before must not see it. */
export function newPasswordFor({ login_challenge }: { login_challenge: string | undefined }): string {
  return login_challenge ? `${newPassword}&${new URLSearchParams({ login_challenge })}` : newPassword
}

export function verification(flowId: string): string {
  return `${verify}?flow=${flowId}`
}
