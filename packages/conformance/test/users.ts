import { setTimeout as sleep } from 'node:timers/promises'
import type { FrontendApi, LoginFlow, MessageTemplateTypeEnum } from '@ory/client-fetch'
import { ResponseError } from '@ory/client-fetch'
import { type Browser, openAdmin, openApp, openBrowser, refused } from './callers.ts'
import { submitLogin, submitRegistration } from './forms.ts'
import { newEmail, PASSWORD, type Target } from './target.ts'

export async function newUser(target: Target): Promise<string> {
  return (await newUserOf(openApp(target))).email
}

/** With the verification form that the registration opened. */
export async function newUserOf(app: FrontendApi): Promise<{ email: string; verification: string }> {
  const email = newEmail()
  const flow = await app.createNativeRegistrationFlow()
  const values = { method: 'password', password: PASSWORD, traits: { email } } as const
  const { continue_with = [] } = await submitRegistration(app, flow, values)
  const next = continue_with.find(({ action }) => action === 'show_verification_ui')
  return { email, verification: next && 'flow' in next ? next.flow.id : '' }
}

export async function newUserIn({ api }: Browser): Promise<string> {
  const email = newEmail()
  const flow = await api.createBrowserRegistrationFlow()
  await submitRegistration(api, flow, { method: 'password', password: PASSWORD, traits: { email } })
  return email
}

export function credentials(identifier: string, password = PASSWORD) {
  return { method: 'password', identifier, password } as const
}

export async function signInApp(app: FrontendApi, email: string, password = PASSWORD): Promise<string> {
  const flow = await app.createNativeLoginFlow()
  const { session_token } = await submitLogin(app, flow, credentials(email, password))
  if (!session_token) throw new Error('an app was signed in without a session token')
  return session_token
}

export async function signIn({ api }: Browser, email: string, password = PASSWORD): Promise<LoginFlow> {
  const flow = await api.createBrowserLoginFlow()
  await submitLogin(api, flow, credentials(email, password))
  return flow
}

export async function signedIn(target: Target): Promise<{ email: string; browser: Browser }> {
  const email = await newUser(target)
  const browser = openBrowser(target)
  await signIn(browser, email)
  return { email, browser }
}

export async function isSignedOut(api: FrontendApi, xSessionToken?: string): Promise<boolean> {
  const token = xSessionToken === undefined ? {} : { xSessionToken }
  return await api.toSession(token).then(
    () => false,
    (error: unknown) => {
      if (error instanceof ResponseError && error.response.status === 401) return true
      throw error
    },
  )
}

export async function refusalOf(target: Target, email: string, password: string): Promise<number[]> {
  const { body } = await refused(signInApp(openApp(target), email, password))
  return (body.ui.messages as { id: number }[]).map(({ id }) => id)
}

/** Milliseconds. */
const PATIENCE = 60_000

export async function mailedCode(
  target: Target,
  recipient: string,
  kind: MessageTemplateTypeEnum,
  count = 1,
): Promise<string> {
  const { mails } = openAdmin(target)
  for (let waited = 0; waited < PATIENCE; waited += 50) {
    const found = (await mails.listCourierMessages({ recipient }))
      .filter(({ template_type }) => template_type === kind)
      .toSorted((one, other) => Number(other.created_at) - Number(one.created_at))
    const code = found.length >= count ? found[0]?.body.match(/\b\d{6}\b/)?.[0] : undefined
    if (code !== undefined) return code
    await sleep(50)
  }
  throw new Error(`there are not ${count} mails of kind ${kind} with a code`)
}

export function wrongCode(code: string): string {
  return code === '000000' ? '111111' : '000000'
}
