import { configure } from '@testing-library/react'
import { beforeEach } from 'vitest'
import * as config from '../../../../app.config.ts'
import { setProduct } from '../product.ts'

// Tests of parts define no app.
setProduct(config)

// Words that only keep a place.
configure({ defaultIgnore: 'script, style, .invisible, .invisible *' })

/** Whichever the product has. */
const PROVIDERS = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
]

beforeEach(() => writeSettings({ providers: PROVIDERS, own: { DASHBOARD_USER: 'octocat' } }))

/** Writes the settings block, as the server does. */
export function writeSettings(settings: object): void {
  document.getElementById('settings')?.remove()
  const textContent = JSON.stringify(settings)
  const block = { id: 'settings', type: 'application/json', textContent }
  document.head.append(Object.assign(document.createElement('script'), block))
}
