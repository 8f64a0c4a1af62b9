import { recall, remember } from '@ostiary/react/internal'
import { useSyncExternalStore } from 'react'
import { listen } from '../../ui/browser.ts'
import { profileTexts } from './texts.ts'

const texts = profileTexts.theme

/** Stored in the browser, because it belongs to the screen rather than the account. */
export function ThemeChoice() {
  const chosen = useSyncExternalStore(subscribe, readTheme, () => 'system')
  return (
    <fieldset className="inline-flex max-w-full flex-wrap gap-1 justify-self-start rounded-field bg-raised p-1">
      <legend className="sr-only">{texts.title}</legend>
      {themes.map((one) => (
        <label key={one} className={choice}>
          <input
            type="radio"
            name="theme"
            value={one}
            checked={one === chosen}
            onChange={() => writeTheme(one)}
            className="sr-only"
          />
          <span>{texts.names[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}

const choice =
  'flex min-h-7 pointer-coarse:min-h-9 cursor-pointer items-center rounded-small px-4 text-14 font-medium text-muted transition-colors hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:ring-1 has-checked:ring-edge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-checked:forced-highlight'

const themes = ['system', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const KEY = 'theme'

/** `/theme.js` applies it before the first paint. */
function readTheme(): Theme {
  return themes.find((theme) => theme === recall(KEY)) ?? 'system'
}

function writeTheme(theme: Theme): void {
  remember(KEY, theme === 'system' ? null : theme)
  dispatchEvent(new Event('theme'))
}

const subscribe = (onChange: () => void) => listen(['storage', 'theme'], onChange)
