import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyPage, ostiary, type Theme } from './plugin.ts'

function headOf(file: string, language?: string): string {
  const config = { name: 'A', description: 'b', theme: { accent: 'teal' }, ...(language && { language }) }
  const plugin = everyPage(config)
    .flat()
    .find((one) => one && 'name' in one && one.name === 'ostiary-head')
  const { transformIndexHtml } = plugin as {
    transformIndexHtml: { handler(html: string, context: object): string }
  }
  return transformIndexHtml.handler(readFileSync(file, 'utf8'), { filename: 'index.html' })
}

test('pages have the language of the product, which is English by default', () => {
  expect(headOf('app/web/index.html', 'de')).toMatch(/^<!doctype html>\n<html lang="de">/)
  expect(headOf('app/web/index.html')).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(headOf('packages/admin/admin.html', 'de')).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(headOf('packages/demo/stage.html', 'de')).toMatch(/^<!doctype html>\n<html lang="en">/)
})

test('the dark theme has the accent that the product names for it, or a light shade of the usual one', () => {
  const rulesOf = (theme: Theme) => {
    const plugins = everyPage({ name: 'A', description: 'b', theme }).flat()
    const plugin = plugins.find((one) => one && 'transform' in one && one.name === 'ostiary-theme')
    return (plugin as object as { transform: { handler(css: string): string } }).transform.handler('')
  }
  expect(rulesOf({ accent: '#c2410c', darkAccent: '#f97316' })).toMatch(/--dark-accent: #f97316\b/)
  expect(rulesOf({ accent: '#c2410c' })).toMatch(/--accent: #c2410c; .*--dark-accent: #f6a78e\b/)
})

test('SEC-133 a page cannot import a file of the server, not even by an alias', () => {
  const plugins = [ostiary({ name: 'A', description: 'b', theme: { accent: 'teal' } })].flat()
  const plugin = plugins.find((one) => one && 'name' in one && one.name === 'ostiary-server-files')
  const { configResolved, resolveId, transform } = plugin as object as {
    configResolved(config: { root: string }): void
    resolveId(source: string, importer: string): void
    transform(code: string, importer: string): void
  }
  configResolved({ root: '/clone/app/web' })
  const load = (source: string) => resolveId(source, '/clone/app/web/pages/about.tsx')
  expect(() => load('../../server/api.ts')).toThrow(
    'app/web/pages/about.tsx imports app/server/api.ts, which is for the server.',
  )
  expect(() => load('../../server.ts')).toThrow('app/server.ts')
  // As Vite resolves an alias.
  expect(() => load('/clone/app/server/api.ts')).toThrow('app/server/api.ts')
  const copy = (url: string) =>
    transform(`open(new URL('${url}', import.meta.url))`, '/clone/app/web/pages/about.tsx')
  expect(() => copy('../../server/api.ts')).toThrow('app/server/api.ts')
  copy('../logo.svg')
  for (const allowed of ['../../schemas.ts', './server/list.tsx', '@ostiary/ui']) load(allowed)
})
