/** The addresses of the app. The server's configuration of the identity service names them too. */
export const paths = {
  home: '/',
  about: '/about',
  login: '/login',
  register: '/register',
  verify: '/verify',
  recovery: '/recovery',
  settings: '/settings',
  security: '/settings/security',
  connections: '/settings/connections',
  devices: '/settings/devices',
  activity: '/settings/activity',
  data: '/settings/data',
  dashboard: '/dashboard',
  error: '/error',
} as const

/** The second step of signing in. */
export const secondFactorPath = `${paths.login}?aal=aal2`

/** The last step of a recovery, for the user who has entered the code. */
export const newPasswordPath = `${paths.recovery}?step=password`

/** Where the code of a verification is entered. */
export function verifyPath(flowId: string): string {
  return `${paths.verify}?flow=${flowId}`
}
