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
  dashboard_user: product.dashboardUser,
  token_template: product.tokenTemplate,
  demo: false,
  account_api: true,
}

test('the settings are those that the server wrote into the page', () => {
  writeBlock('{"identity_url":"https://id.example.test","dashboard_user":"hubot","demo":true}')
  expect(readSettings()).toEqual({
    ...defaults,
    identity_url: 'https://id.example.test',
    dashboard_user: 'hubot',
    demo: true,
  })
})

test('a page without settings, or with the place for them only, runs with the defaults', () => {
  expect(readSettings()).toEqual(defaults)
  writeBlock('__SETTINGS__')
  expect(readSettings()).toEqual(defaults)
})
