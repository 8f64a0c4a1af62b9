import type { PageSettings } from '@ostiary/server'
import * as product from '../../../../app.config.ts'

/** The server's settings for the page, so that one build runs anywhere. */
export type Settings = PageSettings & Required<Pick<PageSettings, 'providers'>>

const defaults: Settings = {
  identity_url: '/.ory',
  own: {},
  token_template: product.tokenTemplate,
  demo: false,
  account_api: true,
  providers: product.demoProviders,
}

/** Reads the settings block of the page. Prerendering and tests use the defaults. */
export function readSettings(): Settings {
  if (typeof document === 'undefined') return defaults
  return parseSettings(document.getElementById('settings')?.textContent ?? '')
}

function parseSettings(text: string): Settings {
  if (!text.trim().startsWith('{')) return defaults
  // The server wrote this block from checked values. A schema library would add 6 kB to the home page.
  return { ...defaults, ...(JSON.parse(text) as Partial<Settings>) }
}
