// The imports that each workspace may have.
import { test } from 'node:test'
import { assertNone, type Import, importsOf, isFile, sources } from './sources.ts'

test('workspaces import only what they may', () => {
  assertNone(sources.flatMap(importsOf).map(crossing))
})

const houseOf = (path: string) => path.match(/^app\/web(?=\/)|^app(?=\/)|^packages\/[^/]+|^[^/]+/)?.[0] ?? ''
const TESTING = /^@ostiary\/((identity|server)\/testing(\/[\w/-]+)?|react\/testing\/.*|conformance)$/
/** Imports of each workspace besides its files. `e2e`, `bench` and `scripts` use the running product. */
const importsOfHouse: Readonly<Record<string, RegExp>> = {
  'packages/identity-server': /^@ostiary\/identity(\/serving)?$/,
  'packages/kratos':
    /^@ostiary\/identity(\/(serving|operating|providers|wire|input\/readable-address)|-server(\/process)?)?$/,
  'packages/server':
    /^@ostiary\/(identity(-server)?(\/serving|\/operating|\/process|\/theme|\/wire)?|ui\/dev-server|server\/settings-report)$/,
  app: /^app\.config\.ts$|^@ostiary\/(server(\/run)?|demo\/server)$/,
  'app/web': /^app\.config\.ts$|^app\/texts\.ts$|^@ostiary\/ui(\/(vite|styles\.css))?$/,
  // Public entries only, as in a product.
  examples:
    /^@ostiary\/(server(\/(run|journeys|testing))?|identity|demo\/server|react|ui(\/(vite|styles\.css))?)$/,
  'packages/ui':
    /^@ostiary\/(identity\/(theme|input\/readable-address)|react(\/(internal|message-ids|testing\/.*))?)$/,
  'packages/admin':
    /^@ostiary\/(ui(\/(internal|testing\/.*|styles\.css))?|react(\/(internal|testing\/.*))?|identity\/(devices\/device-name|input\/readable-address))$/,
  'packages/demo':
    /^@ostiary\/(ui(\/(internal|paths|testing\/.*|styles\.css))?|react(\/(internal|testing\/.*))?|server(\/demo)?|identity(\/(serving|input\/readable-address))?)$/,
  e2e: /^app\.config\.ts$/,
  bench: /^@ostiary\/server\/commands$/,
  scripts: /^app\.config\.ts$|^@ostiary\/server\/(commands|settings-report)$/,
}

const exceptions: readonly ((from: string, found: Import) => boolean)[] = [
  // Answers of the server's API.
  (from, { target, typeOnly }) => from === 'packages/ui' && typeOnly && target === '@ostiary/server',
  // The names of all emails.
  (from, { target, typeOnly }) => from === 'packages/admin' && typeOnly && target === '@ostiary/identity',
  // The pages are tested as those of this app.
  (from, { file, target }) =>
    from === 'packages/ui' && /\.test\.tsx?$|\/testing\//.test(file) && /^app(\/web\/|\.config)/.test(target),
  // Some of its tests have Jsonnet and Go templates.
  (from, { file, target }) =>
    from === 'packages/identity' && isTest(from, file) && target === '@ostiary/kratos',
  // Fault tests put load on a server like the benchmark.
  (_, { file, target }) => file.startsWith('e2e/faults/') && target.startsWith('bench/'),
  (from, { file, target }) => isTest(from, file) && TESTING.test(target),
  // A product changes its configuration and its texts without changing tests.
  (from, { file, target }) =>
    isTest(from, file) && /^app\/(server\.ts|.*texts\.ts)$|^app\.config\.ts$/.test(target),
]

const isTest = (from: string, file: string) =>
  /^(bench|scripts|e2e)$/.test(from) || /\.test\.ts$|\/test(ing)?\//.test(file)

function crossing(found: Import): string | false {
  const { file, target } = found
  const from = houseOf(file)
  const own = isFile(target) ? houseOf(target) === from : !/^@ostiary\/|^app\.config/.test(target)
  const allowed = own || importsOfHouse[from]?.test(target) || exceptions.some((one) => one(from, found))
  return !allowed && `${file} must not import ${target}`
}
