import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

/** Documents about this repository. */
const OTHERS = ['specification.md', 'threats.md', 'differences-from-ory-kratos.md']

/** Documents for products, by name, with links that work below `node_modules/@ostiary/server/docs`. */
export function productDocuments(): ReadonlyMap<string, string> {
  const names = globSync('*.md', { cwd: join(root, 'docs') }).filter((name) => !OTHERS.includes(name))
  return new Map(
    names.map((name) => [name, linkFromPackage(readFileSync(join(root, 'docs', name), 'utf8'), names)]),
  )
}

export function writeProductDocuments(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of productDocuments()) writeFileSync(join(folder, name), text)
  // A file such as .env has secrets.
  const filter = (file: string) =>
    !/[/\\](\.[^/\\]+|dist|data|node_modules|test-results|README\.md|(package|tsconfig)\.json)$/.test(file)
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true, filter })
}

/** A link to a file that products do not have becomes its text. */
function linkFromPackage(text: string, names: readonly string[]): string {
  return text.replaceAll(/(!?)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, mark, label, target: string) => {
    const [file = '', heading] = target.split('#')
    if (/^[a-z]+:/.test(target) || file === '' || names.includes(file)) return link
    if (mark) return ''
    const place = placeInProduct(file)
    if (place === undefined) return label
    return `[${label}](${heading === undefined ? place : `${place}#${heading}`})`
  })
}

function placeInProduct(file: string): string | undefined {
  const library = /^\.\.\/packages\/([\w-]+)\/README\.md$/.exec(file)?.[1]
  if (library)
    return library === 'conformance' || library === 'kratos' ? undefined : `../../${library}/README.md`
  if (file.startsWith('../examples/')) return file.replace('../', '')
  return file === '../app.config.ts' ? '../../../../app.config.ts' : undefined
}
