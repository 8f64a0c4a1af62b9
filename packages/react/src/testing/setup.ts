import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { learnServerTime } from '../clock.ts'

// The first visit of a screen loads its code, which is slow on a busy machine.
configure({ asyncUtilTimeout: 4_000 })

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
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
  // It has no layout either.
  vi.stubGlobal('ResizeObserver', IdleObserver)
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

class IdleObserver {
  observe() {}
  disconnect() {}
}

export function takeErrors(): unknown[][] {
  const taken = written
  written = []
  return taken
}
