import type { WireEntry } from '../../../server/src/demo/wire.ts'
import { request } from '../api/request.ts'
import { clearUserJwt } from '../auth/user-jwt-cookie.ts'
import * as paths from '../paths.ts'

interface Credentials {
  readonly email: string
  readonly password: string
}

const TASK = 'demo-sign-in'

/** Ends the session, returns the switches, deletes what the panel recorded, and starts over at the home page. */
export async function resetDemo(): Promise<void> {
  // First, because signing out needs the identity service.
  await request('/demo/api/world', { method: 'DELETE' }).catch(() => {})
  await signOut()
  await request('/demo/api/wire', { method: 'DELETE' }).catch(() => {})
  load(`${paths.home}#demo=wire`)
}

/** Ends the session, opens the page's own form, and leaves the credentials for `continueSignIn`. */
export async function beginSignIn(credentials: Credentials, isNew: boolean): Promise<void> {
  await signOut()
  sessionStorage.setItem(TASK, JSON.stringify(credentials))
  load(`${isNew ? paths.register : paths.login}#demo=people`)
}

async function signOut(): Promise<void> {
  const logout = await request('/.ory/self-service/logout/browser').catch(() => undefined)
  if (logout) await fetch((logout.json as { logout_url: string }).logout_url, { credentials: 'include' })
  clearUserJwt()
}

/** The address may differ in the hash only, which by itself loads nothing. */
function load(address: string): void {
  history.replaceState(null, '', address)
  location.reload()
}

/** Fills in and submits the form of the page, as a user would. */
export async function continueSignIn(): Promise<void> {
  const task = sessionStorage.getItem(TASK)
  if (task === null) return
  sessionStorage.removeItem(TASK)
  const { email, password } = JSON.parse(task) as Credentials
  const form = await findForm()
  if (!form) return
  type(form.querySelector('#email'), email)
  type(form.querySelector('#password'), password)
  form.requestSubmit()
}

const PATIENCE = 5000
const PAUSE = 50

/** The form of email and password, once it can be submitted. */
async function findForm(): Promise<HTMLFormElement | null> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    const button = document.querySelector('main form:has(#password) button[type=submit]:enabled')
    if (button) return button.closest('form')
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return null
}

const CODE_FIELD = 'main [autocomplete=one-time-code]'

/** Into the page's field for a code. Returns false if the page has none. */
export function typeCode(code: string): boolean {
  return type(document.querySelector(CODE_FIELD), code)
}

export type FormNode = NonNullable<WireEntry['form']>['nodes'][number]

const fieldNames: Readonly<Record<string, string>> = { identifier: 'email' }

/** The field or button of the page for a node. */
export function findField({ name, type, label }: FormNode): HTMLElement | null | undefined {
  if (/^(totp_|)code$|^lookup_secret$/.test(name)) return document.querySelector(CODE_FIELD)
  if (type === 'submit' && name === 'method') return document.querySelector('main form [type=submit]')
  if (type !== 'submit' && type !== 'button')
    return document.querySelector(`main [name="${fieldNames[name] ?? name.replace('traits.', '')}"]`)
  const buttons = [...document.querySelectorAll<HTMLElement>('main button')]
  return buttons.find(({ textContent }) => textContent.startsWith(label ?? name))
}

function type(field: HTMLInputElement | null, text: string): boolean {
  if (!field) return false
  field.focus()
  // React ignores a value that was set through its own property.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
