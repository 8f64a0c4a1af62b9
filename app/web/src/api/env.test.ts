import { afterEach, expect, test } from 'vitest'
import * as product from '../../../../app.config.ts'
import { readSettings } from './env.ts'

afterEach(() => document.getElementById('settings')?.remove())

function writeBlock(textContent: string) {
  document.head.append(
    Object.assign(document.createElement('script'), {
      id: 'settings',
      type: 'application/json',
      textContent,
    }),
  )
}

const defaults = {
  identity_url: '/.ory',
  providers: product.demoProviders,
  token_template: product.tokenTemplate,
  demo: false,
  account_api: true,
}

test('the settings are those that the server wrote into the page', () => {
  writeBlock('{"identity_url":"https://id.example.test","demo":true}')
  expect(readSettings()).toMatchObject({ ...defaults, identity_url: 'https://id.example.test', demo: true })
})

test('a page without settings, or with the place for them only, runs with the defaults', () => {
  expect(readSettings()).toMatchObject(defaults)
  writeBlock('__SETTINGS__')
  expect(readSettings()).toMatchObject(defaults)
})
