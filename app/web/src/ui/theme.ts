import { useSyncExternalStore } from 'react'
import { recall, remember } from './browser-memory.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'theme'

/** The chosen theme and its setter; `/theme.js` applies it, also before the app's scripts run. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme, () => 'system'), writeTheme]
}

function readTheme(): Theme {
  return themes.find((theme) => theme === recall(KEY)) ?? 'system'
}

function writeTheme(theme: Theme): void {
  remember(KEY, theme === 'system' ? null : theme)
  dispatchEvent(new Event('theme'))
}

function subscribe(onChange: () => void): () => void {
  addEventListener('storage', onChange)
  addEventListener('theme', onChange)
  return () => {
    removeEventListener('storage', onChange)
    removeEventListener('theme', onChange)
  }
}
