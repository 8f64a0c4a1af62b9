import { test } from 'node:test'
import { assertNone, importsOf, inside } from './sources.ts'

/** Its types name what the folders around it provide. */
const contract = 'packages/identity/src/contract/'

test('files of the identity service import each other in one direction, types included', () => {
  const edges = new Map(
    inside('packages/identity/src/').map((file) => {
      const imports = importsOf(file).filter(({ typeOnly }) => !(typeOnly && file.path.startsWith(contract)))
      return [file.path, imports.map(({ target }) => target)]
    }),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const target of edges.get(file) ?? []) walk(target, [...path, file])
    done.add(file)
  }
  for (const file of edges.keys()) walk(file, [])
  assertNone(cycles)
})
