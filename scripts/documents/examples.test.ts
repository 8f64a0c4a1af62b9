import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { assertNone } from '../architecture/sources.ts'
import { root } from '../root.ts'

const exec = promisify(execFile)

interface Surroundings {
  readonly imports: readonly string[]
  /** Types of what an example may use without declaring it, by name. */
  readonly known: Readonly<Record<string, string>>
}

const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  identity: { imports: ["import { createServer } from 'node:http'"], known: { dsn: 'string' } },
  react: {
    imports: [],
    known: {
      router: '{ push(path: string): void }',
      params: 'URLSearchParams',
      service: 'IdentityService',
      children: 'null',
    },
  },
  server: {
    imports: ["import { Hono } from 'hono'", "import { z } from 'zod'"],
    known: { config: 'ProductConfig', response: 'Response' },
  },
  ui: {
    imports: ["import { useLogin } from '@ostiary/react'"],
    known: {
      app: 'AppDefinition',
      config: "AppDefinition['config']",
      routes: "AppDefinition['routes']",
      Layout: "AppDefinition['Layout']",
      form: 'ReturnType<typeof useForm<{ title: string }>>',
      error: 'Error',
    },
  },
}

/** In the repository, so that the packages are found. */
const folder = join(root, 'node_modules/.cache/my-app-examples')
after(() => rmSync(folder, { recursive: true, force: true }))

const entries = Object.keys(SURROUNDINGS).map((name) => ({
  name,
  values: exportsOf(`packages/${name}/src/index.ts`),
}))

test('every function, class and component of a public entry has an example', () => {
  const values = entries.flatMap((entry) => entry.values)
  assertNone(values.map(({ file, value, examples }) => examples.length === 0 && `${file}: ${value}`))
})

test('the examples of the public entries compile', async () => {
  mkdirSync(join(folder, 'pages'), { recursive: true })
  for (const page of ['home', 'login', 'reports'])
    writeFileSync(join(folder, `pages/${page}.tsx`), 'export default function Screen() { return null }')
  // `page` and `Page` would be one file on some systems.
  for (const { name, values } of entries)
    for (const [index, { value, examples }] of values.entries())
      for (const [n, example] of examples.entries())
        writeFileSync(join(folder, `${name}-${index}-${value}-${n}.tsx`), moduleOf(name, example))
  const compilerOptions = {
    jsx: 'react-jsx',
    module: 'preserve',
    moduleResolution: 'bundler',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: ['vite/client', 'node'],
    noUnusedLocals: false,
  }
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.tsx'], exclude: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await exec(process.execPath, [tsc, '-p', folder]).catch((error) => error)
  assert.equal(stdout, '')
})

function moduleOf(name: string, example: string): string {
  const text = readFileSync(join(root, `packages/${name}/src/index.ts`), 'utf8')
  const lists = [...text.matchAll(/^export (type )?\{([^}]+)\}/gm)]
  const imports = lists.map(([, type = '', list]) => `import ${type}{${list}} from '@ostiary/${name}'`)
  const { imports: others = [], known = {} } = SURROUNDINGS[name] ?? {}
  const missing = Object.entries(known).filter(([word]) => !example.includes(`const ${word} =`))
  const own = /^export async function (\w+)/m.exec(text)?.[1]
  if (own) imports.push(`import { ${own} } from '@ostiary/${name}'`)
  return [
    ...imports,
    ...others,
    ...missing.map(([word, type]) => `declare const ${word}: ${type}`),
    example,
  ].join('\n')
}

function exportsOf(entry: string) {
  const text = readFileSync(join(root, entry), 'utf8')
  const lists = [...text.matchAll(/^export \{([^}]+)\} from '(\.[^']+)'/gm)]
  const own = [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, value = '']) => ({
    value,
    file: entry,
  }))
  const named = lists.flatMap(([, list = '', from = '']) =>
    list
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !one.startsWith('type '))
      .map((value) => ({ value, file: join(entry, '..', from) })),
  )
  return [...own, ...named].flatMap(({ value, file }) => {
    const source = readFileSync(join(root, file), 'utf8')
    const declared = new RegExp(
      `(?:/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s)?export (?:(?:async )?function|class|const (?=\\w+ = (?:slot|lazyPart)\\()) ?${value}\\b`,
    ).exec(source)
    return declared ? [{ value, file, examples: examplesOf(declared[1] ?? '') }] : []
  })
}

function examplesOf(comment: string): string[] {
  const lines = comment.split('\n').map((line) => line.replace(/^ *\* ?/, '').trimEnd())
  return lines
    .join('\n')
    .split(/^\s*@/m)
    .filter((tag) => tag.startsWith('example'))
    .map((tag) => tag.slice('example'.length).trim())
}
