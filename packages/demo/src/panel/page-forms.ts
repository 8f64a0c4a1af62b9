import { clearUserJwt } from '@ostiary/react/internal'
import { readSettings } from '@ostiary/ui'
import { hasSessionHint, request } from '@ostiary/ui/internal'
import * as paths from '@ostiary/ui/paths'
import type { RecordedCall } from '../../server/wire.ts'
import { isStage, STAGE, type Tab } from './hash.ts'

/** The task of the panel on the next page. */
type Task =
  | { readonly step: 'password'; readonly email: string; readonly password: string }
  | { readonly step: 'provider'; readonly user: string }
  | { readonly step: 'consent'; readonly user: string }

const TASK = 'demo-sign-in'

/** Ends the session, returns the switches, deletes what the panel recorded, and starts over. */
export async function resetDemo(): Promise<void> {
  // First, because signing out needs the identity service.
  await request('/demo/api/switches', { method: 'DELETE' }).catch(() => {})
  await signOut()
  await request('/demo/api/wire', { method: 'DELETE' }).catch(() => {})
  load(`${isStage() ? STAGE : paths.home}#demo=wire`)
}

/** Ends the session, opens the page's own form, and leaves the rest to `continueSignIn`. */
export async function beginSignIn(
  task: Task,
  { address = paths.login, tab = 'people' }: { readonly address?: string; readonly tab?: Tab },
): Promise<void> {
  await signOut()
  leave(task)
  load(`${address}#demo=${tab}`)
}

function leave(task: Task): void {
  sessionStorage.setItem(TASK, JSON.stringify(task))
}

async function signOut(): Promise<void> {
  // The hint is as old as the last page, and a login may have followed.
  await fetch(paths.home, { method: 'HEAD', headers: { Accept: 'text/html' } }).catch(() => {})
  if (hasSessionHint()) {
    const headers = { Accept: 'application/json', 'Demo-Unrecorded': 'true' }
    const logout = await fetch('/.ory/self-service/logout/browser', { headers }).catch(() => undefined)
    if (logout?.ok) await fetch(((await logout.json()) as { logout_url: string }).logout_url, { headers })
  }
  clearUserJwt({ cookieDomain: readSettings().cookie_domain })
}

/** The address may differ in the hash only, which alone loads nothing. */
function load(address: string): void {
  history.replaceState(null, '', address)
  location.reload()
}

/** Fills in and submits the forms of the pages, as a user would. Returns false if it finds none. */
export async function continueSignIn(): Promise<boolean> {
  const pendingTask = sessionStorage.getItem(TASK)
  sessionStorage.removeItem(TASK)
  if (pendingTask === null) return true
  const task = JSON.parse(pendingTask) as Task
  switch (task.step) {
    case 'password':
      return await enterPassword(task)
    case 'provider': {
      const button = await appears(() => findButton('Sign in with GitHub'))
      leave({ step: 'consent', user: task.user })
      button?.click()
      return button !== undefined
    }
    case 'consent': {
      const user = await appears(() => document.querySelector<HTMLElement>(`main [value="${task.user}"]`))
      user?.click()
      document.querySelector<HTMLElement>('main [value=approve]')?.click()
      return user !== undefined
    }
  }
}

async function enterPassword({ email, password }: Extract<Task, { step: 'password' }>): Promise<boolean> {
  const button = await appears(() =>
    document.querySelector('main form:has([name=password]) button[type=submit]:enabled'),
  )
  const form = button?.closest('form')
  if (!form) return false
  // The latter two in a form of the product's own markup.
  type(form.querySelector('[name=email], [name=identifier], [name="traits.email"]'), email)
  type(form.querySelector('[name=password]'), password)
  form.requestSubmit()
  return true
}

const PATIENCE = 5000
const PAUSE = 50

/** Waits up to five seconds for the element. */
async function appears<T extends Element>(find: () => T | null | undefined): Promise<T | undefined> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    const element = find()
    if (element) return element
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return undefined
}

function findButton(name: string): HTMLElement | undefined {
  const buttons = [...document.querySelectorAll<HTMLElement>('main button:enabled')]
  return buttons.find(({ textContent }) => textContent.startsWith(name))
}

const CODE_FIELD = 'main [autocomplete=one-time-code]'

/** Into the page's field for a code. Returns false if the page has none. */
export function typeCode(code: string): boolean {
  return type(document.querySelector(CODE_FIELD), code)
}

export type FormNode = NonNullable<RecordedCall['form']>['nodes'][number]

const fieldNames: Readonly<Record<string, string>> = { identifier: 'email' }

/** The field or button of the page for a node. */
export function findField({ name, type, label }: FormNode): HTMLElement | null | undefined {
  if (/^(totp_|)code$|^lookup_secret$/.test(name)) return document.querySelector(CODE_FIELD)
  if (type === 'submit' && name === 'method') return document.querySelector('main form [type=submit]')
  if (type !== 'submit' && type !== 'button')
    return document.querySelector(
      `main [name="${fieldNames[name] ?? name.replace('traits.', '')}"], main [name="${name}"]`,
    )
  return findButton(label ?? name)
}

function type(field: HTMLInputElement | null, text: string): boolean {
  if (!field) return false
  field.focus()
  // React ignores a value that was set through its own property.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
