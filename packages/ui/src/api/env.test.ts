import type { OwnSession } from '@ostiary/react'
import { expect, test } from 'vitest'
import * as product from '../../../../app.config.ts'
import { writeSettings } from '../testing/setup.ts'
import { readSettings } from './env.ts'

const defaults = {
  identity_url: '/.ory',
  providers: product.demoProviders,
  token_template: product.tokenTemplate,
  demo: false,
  account_api: true,
  deletion_days: 14,
}

test('the settings are those that the server wrote into the page', () => {
  writeSettings({ identity_url: 'https://id.example.test', demo: true })
  expect(readSettings()).toMatchObject({ ...defaults, identity_url: 'https://id.example.test', demo: true })
})

test('a page without settings, or with the place for them only, runs with the defaults', () => {
  const block = document.getElementById('settings')
  if (block) block.textContent = '__SETTINGS__'
  expect(readSettings()).toMatchObject(defaults)
  block?.remove()
  expect(readSettings()).toMatchObject(defaults)
})

test('a page knows the public settings of the product, and no secret', () => {
  const { own } = readSettings()
  const user: string = own.DASHBOARD_USER
  expect(user).toBe('octocat')
  // @ts-expect-error: the server keeps it
  expect(own.GITHUB_TOKEN).toBeUndefined()
})

test('a page knows the traits of a session by their schemas', () => {
  const traits: NonNullable<OwnSession['identity']>['traits'] = { email: 'ada@example.com' }
  const name: string | undefined = traits.name
  expect(name).toBeUndefined()
  // @ts-expect-error: app.config.ts describes none
  expect(traits.birthday).toBeUndefined()
})
