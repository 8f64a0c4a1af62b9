import { expect, test } from 'vitest'
import { preloadLinks } from './preload-links.ts'

const manifest = {
  'index.html': { file: 'assets/index.js', imports: ['_framework.js'] },
  '_framework.js': { file: 'assets/framework.js' },
  '_forms.js': { file: 'assets/forms.js', imports: ['_framework.js'] },
  'src/screens/login.tsx': { file: 'assets/login.js', imports: ['_forms.js', 'index.html'] },
}

test('a page fetches ahead what its screen needs beyond the app itself', () => {
  const files = [
    ...preloadLinks(manifest, ['src/screens/login.tsx', '_forms.js']).matchAll(/href="([^"]+)"/g),
  ].map(([, href]) => href)
  expect(files).toEqual(['/assets/login.js', '/assets/forms.js'])
})

test('a screen that is part of the app needs nothing more', () => {
  expect(preloadLinks(manifest, [])).toBe('')
})

test('a screen that the build does not know is an error', () => {
  expect(() => preloadLinks(manifest, ['src/screens/gone.tsx'])).toThrow(
    'The build has no file for src/screens/gone.tsx',
  )
})
