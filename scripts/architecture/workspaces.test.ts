// What each workspace may import.
import { test } from 'node:test'
import type { Import } from './sources.ts'
import { assertNone, importsOf, isFile, sources } from './sources.ts'

test('workspaces import only what they may', () => {
  assertNone(sources.flatMap(importsOf).map(crossing))
})

const houseOf = (path: string) => path.match(/^app\/web(?=\/)|^app(?=\/)|^packages\/[^/]+|^[^/]+/)?.[0] ?? ''
const TESTING = /^@ostiary\/((identity|server)\/testing(\/[\w/-]+)?|conformance)$/
/** What each workspace may import besides itself. `e2e`, `bench` and `scripts` use the running product. */
const importsOfHouse: Readonly<Record<string, RegExp>> = {
  'packages/identity': /^@ostiary\/(go-template|jsonnet)$/,
  'packages/identity-server': /^@ostiary\/identity(\/serving)?$/,
  'packages/server': /^@ostiary\/identity(-server)?(\/serving|\/process|\/wire)?$/,
  app: /^app\.config\.ts$|^@ostiary\/(server(\/run)?|identity(\/serving)?|identity-server\/process)$/,
  'app/web': /^app\.config\.ts$|^@ostiary\/identity\/devices\/device-name$/,
  e2e: /^app\.config\.ts$/,
  scripts: /^app\.config\.ts$|^app\/server\.ts$/,
}

const exceptions: readonly ((from: string, found: Import) => boolean)[] = [
  // The development server uses the web app's Vite configuration.
  (_, { file, target }) =>
    file === 'packages/server/src/start/dev.ts' && target === 'app/web/build/dev-server.ts',
  (from, { target, typeOnly }) =>
    from === 'app/web' && typeOnly && /^@ostiary\/server$|^app\/server\/api\.ts$/.test(target),
  (from, { target }) => from === 'bench' && target === 'scripts/server-process.mjs',
  // Fault tests put load on a server like the benchmark.
  (_, { file, target }) => file.startsWith('e2e/faults/') && target.startsWith('bench/'),
  (from, { target }) => from === 'scripts' && target.startsWith('packages/server/'),
  (from, { file, target }) => isTest(from, file) && TESTING.test(target),
  // A product changes its configuration and its texts without changing tests.
  (from, { file, target }) =>
    isTest(from, file) && /^app\/(server\.ts|web\/src\/.*texts\.ts)$|^app\.config\.ts$/.test(target),
]

const isTest = (from: string, file: string) =>
  /^(bench|scripts|e2e)$/.test(from) || /\.test\.ts$|\/test\//.test(file)

function crossing(found: Import): string | false {
  const { file, target } = found
  const from = houseOf(file)
  const own = isFile(target) ? houseOf(target) === from : !/^@ostiary\/|^app\.config/.test(target)
  const allowed = own || importsOfHouse[from]?.test(target) || exceptions.some((one) => one(from, found))
  return !allowed && `${file} must not import ${target}`
}
