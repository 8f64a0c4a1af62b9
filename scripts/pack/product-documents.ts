import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { root } from '../root.ts'

/** Documents about this repository. */
const OTHERS = ['docs/specification.md', 'docs/threats.md', 'docs/differences-from-ory-kratos.md']

/** Folders that documents link. */
const FOLDERS = ['examples', 'deploy', 'docs/ory-kratos']

/** Writes what the package of the server contains for products, below `node_modules/@ostiary/server/docs`. */
export function writeProductDocuments(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const documents = globSync('docs/*.md', { cwd: root }).filter((path) => !OTHERS.includes(path))
  for (const path of documents)
    writeFileSync(join(folder, posix.basename(path)), withoutOwnSettings(readShippedDocument(path)))
  // A file such as .env has secrets.
  const filter = (file: string) =>
    !/[/\\](\.[^/\\]+|dist|data|node_modules|test-results|README\.md|(package|tsconfig)\.json)$/.test(file)
  for (const source of FOLDERS)
    cpSync(join(root, source), join(folder, source.replace('docs/', '')), { recursive: true, filter })
}

/** A document with links that work below `node_modules/@ostiary`. One to a file that is not there becomes its text. */
export function readShippedDocument(path: string): string {
  const text = readFileSync(join(root, path), 'utf8')
  return text.replaceAll(/(!?)\[([^\]]+)\]\(([^)\s]+)\)/g, (link, mark, label, target: string) => {
    const [file = '', heading] = target.split('#')
    if (/^[a-z]+:/.test(target) || file === '') return link
    if (mark) return ''
    const place = placeOf(posix.join(posix.dirname(path), file))
    if (place === undefined || !isInstalledWith(packageAt(placeOf(path)), packageAt(place))) return label
    const relative = posix.relative(dirname(placeOf(path) ?? ''), place)
    return `[${label}](${heading === undefined ? relative : `${relative}#${heading}`})`
  })
}

/** Below `node_modules/@ostiary`. */
function placeOf(path: string): string | undefined {
  const library = /^packages\/([\w-]+\/README\.md)$/.exec(path)?.[1]
  if (library) return library
  if (path === 'app.config.ts') return '../../app.config.ts'
  const isDocument = /^docs\/[\w-]+\.md$/.test(path) && !OTHERS.includes(path)
  const isShipped = isDocument || FOLDERS.some((folder) => path.startsWith(`${folder}/`))
  return isShipped ? `server/docs/${path.replace(/^docs\//, '')}` : undefined
}

function packageAt(place = ''): string {
  return place.split('/')[0] ?? ''
}

/** The server's documents are for products, which have the other packages. */
function isInstalledWith(name: string, other: string): boolean {
  if (name === other) return true
  if (name === 'server') return !['conformance', 'kratos'].includes(other)
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  ) as { dependencies?: object }
  const required = Object.keys(dependencies).filter((one) => one.startsWith('@ostiary/'))
  return required.some((one) => isInstalledWith(one.slice('@ostiary/'.length), other))
}

/** Without the rows about settings of this app, which products do not have. */
function withoutOwnSettings(text: string): string {
  const settings = [
    ...readFileSync(join(root, 'app/server/settings.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+): env\./gm),
  ]
  const isOwn = (line: string) => settings.some(([, name]) => line.startsWith(`| \`${name}\` |`))
  return text
    .split('\n')
    .filter((line) => !isOwn(line))
    .join('\n')
}
