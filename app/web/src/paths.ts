// The addresses of the app. The server's configuration of the identity service names them too.
// One constant each, so that a page's bundle holds only those that it uses.

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

/** Where anonymous visitors of a page are redirected; undefined if the page is for everyone. */
export function entranceTo(path: string): typeof home | typeof login | undefined {
  if (path === dashboard) return home
  return /^\/settings(\/\w+)?$/.test(path) ? login : undefined
}

/** The second step of signing in. */
export const secondFactor = `${login}?aal=aal2`

/** The last step of a recovery, for the user who has entered the code. */
export const newPassword = `${recovery}?step=password`

/** Where the code of a verification is entered. */
export function verification(flowId: string): string {
  return `${verify}?flow=${flowId}`
}
