import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// For the architecture tests.

const root = join(import.meta.dirname, '../..')

const workspaces = ['app', 'packages', 'examples', 'e2e', 'bench', 'scripts']
export const files = globSync(`{${workspaces}}/**/*.{ts,tsx,mjs}`, {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
}).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
export const sources = files.filter(({ path }) => !/\.test\.tsx?$/.test(path))
export const inside = (folder: string) => sources.filter(({ path }) => path.startsWith(folder))

export interface Import {
  readonly file: string
  readonly target: string
  readonly typeOnly: boolean
}

const importPattern =
  /^(import|export)\s+(type\s)?[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gm

export function importsOf({ path, text }: (typeof files)[number]): Import[] {
  return [...text.matchAll(importPattern)].map(([, , type, named, bare, dynamic]) => {
    const target = named ?? bare ?? dynamic ?? ''
    const resolved = target.startsWith('.') ? join(path, '..', target) : target
    return { file: path, target: resolved, typeOnly: type !== undefined }
  })
}

export const isFile = (target: string) => workspaces.some((folder) => target.startsWith(`${folder}/`))

export function assertNone(found: readonly (false | undefined | string)[]) {
  assert.deepEqual(found.filter(Boolean), [])
}
