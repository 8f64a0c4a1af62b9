import { recall, remember } from '@ostiary/react/internal'
import { useState, useSyncExternalStore } from 'react'

const LEFT_DOCUMENT = 'left'

/** The next document focuses its heading. Without a URL, it is that of the address. */
export function leaveFor(url?: string): void {
  remember(LEFT_DOCUMENT, thisDocument(), 'sessionStorage')
  if (url === undefined) location.reload()
  else location.assign(url)
}

/** This document may still render another page while the next one loads. */
export function focusAfterReturn(heading: HTMLElement | null): void {
  const leftDocument = recall(LEFT_DOCUMENT, 'sessionStorage')
  if (!heading || !leftDocument || leftDocument === thisDocument()) return
  remember(LEFT_DOCUMENT, null, 'sessionStorage')
  heading.focus()
}

function thisDocument(): string {
  return String(performance.timeOrigin)
}

/** By a pointer, a finger or the keyboard. The code for a press can load now. */
export const INTENTS = ['pointerover', 'focusin']

/** Captures, so that the listener never gets the event that added it. Returns how to stop. */
export function listen(events: readonly string[], listener: (event: Event) => void): () => void {
  const ended = new AbortController()
  for (const event of events) addEventListener(event, listener, { capture: true, signal: ended.signal })
  return () => ended.abort()
}

/**
 * False in prerendered pages and the first client render.
 *
 * @example const width = useHydrated() ? innerWidth : 0
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

function subscribeToNothing(): () => void {
  return () => {}
}

/** The last value that was defined. */
export function useLatest<T>(value: T | undefined): T | undefined {
  const [latest, setLatest] = useState(value)
  if (value !== undefined && value !== latest) setLatest(value)
  return value ?? latest
}
