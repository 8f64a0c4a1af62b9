import type { PageSettings } from '@ostiary/server'
import { product, settingsBlock } from '../product.ts'

/** The server's settings for the page, so that one build runs anywhere. */
export type Settings = PageSettings & Required<Pick<PageSettings, 'deletion_days' | 'providers'>>

/**
 * Reads the settings block of the page. Prerendering and tests use the defaults.
 *
 * @example const { own } = readSettings()
 */
export function readSettings(): Settings {
  return { ...defaults(), ...settingsBlock() }
}

function defaults(): Settings {
  const { tokenTemplate, demoProviders } = product()
  return {
    identity_url: '/.ory',
    // The server fills them in, so prerendering has none.
    own: {} as Settings['own'],
    token_template: tokenTemplate,
    demo: false,
    account_api: true,
    deletion_days: 14,
    providers: demoProviders,
  }
}
