// The addresses of the pages of accounts, which the identity configuration of the server names too. One constant
// each keeps unused ones out of a bundle.

export const home = '/'
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

export const secondFactor = `${login}?aal=aal2`

export const newPassword = `${recovery}?step=password`

/** The OAuth 2.0 request comes after the new password, so the steps before must not see it. */
export function newPasswordFor({ login_challenge }: { login_challenge: string | undefined }): string {
  return login_challenge ? `${newPassword}&${new URLSearchParams({ login_challenge })}` : newPassword
}

export function verification(flowId: string): string {
  return `${verify}?flow=${flowId}`
}
