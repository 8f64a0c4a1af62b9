import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import * as config from '../../../../app.config.ts'
import { learnServerTime } from '../clock.ts'
import { setProduct } from '../product.ts'

// The first visit of a screen loads its code, which is slow on a busy machine.
configure({ asyncUtilTimeout: 4_000 })

// Tests of parts define no app.
setProduct(config)

/** Whichever the product has. */
const PROVIDERS = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
]

// A request that outlives its test gets no answer.
globalThis.fetch = () => new Promise(() => {})

let written: unknown[][] = []
/**
 * Texts of which React keeps the node, because they have siblings or no element of their own. A browser that
 * translates the page replaces it, and React then fails to remove it, or changes a text that is no longer shown.
 */
let bareTexts: string[] = []

beforeEach(() => {
  written = []
  bareTexts = []
  const createTextNode = document.createTextNode.bind(document)
  vi.spyOn(document, 'createTextNode').mockImplementation((text) => {
    if (text.trim()) bareTexts.push(text)
    return createTextNode(text)
  })
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => void written.push(words))
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.stubGlobal('scrollTo', () => {})
  // jsdom has no dialogs.
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  // Nor does it scroll.
  Element.prototype.scrollIntoView ??= () => {}
  writeSettings({ providers: PROVIDERS, own: { DASHBOARD_USER: 'octocat' } })
  learnServerTime({ headers: new Headers({ Date: new Date().toISOString() }) })
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  // biome-ignore lint/suspicious/noDocumentCookie: the server sets it with a page that comes with a session
  document.cookie = 'session_hint=1; Path=/'
})

afterEach(() => {
  cleanup()
  // biome-ignore lint/suspicious/noDocumentCookie: a test leaves no cookie to the next one
  document.cookie = 'user_jwt=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  expect(bareTexts, 'each text needs an element of its own').toEqual([])
  expect(written).toEqual([])
})

/** Writes the settings block, as the server does. */
export function writeSettings(settings: object): void {
  document.getElementById('settings')?.remove()
  const textContent = JSON.stringify(settings)
  const block = { id: 'settings', type: 'application/json', textContent }
  document.head.append(Object.assign(document.createElement('script'), block))
}

export function takeErrors(): unknown[][] {
  const taken = written
  written = []
  return taken
}
