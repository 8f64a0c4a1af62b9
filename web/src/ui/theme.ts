import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const KEY = 'theme'

/** The chosen theme and the way to choose another; `/theme.js` applies it, also before the app's scripts run. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, readTheme, () => 'system'), writeTheme]
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

function writeTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // A browser may forbid it; then the system's theme stays.
  }
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
