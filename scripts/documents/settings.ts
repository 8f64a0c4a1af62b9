import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listSettings } from '@ostiary/server/settings-report'
import product from '../../app/server.ts'
import { root } from '../root.ts'
import { renderTable } from './differences.ts'

const PAGE = 'docs/configuration.md'
const HEAD = ['variable', 'default', 'description']

/** The page with the table of the settings. docs/providers.md has those of providers. */
export function renderSettings(): readonly [path: string, text: string] {
  const rows = listSettings(product)
    .filter(({ isOfProvider }) => !isOfProvider)
    .map(({ name, fallback, description }) => [`\`${name}\``, fallback, description])
  const text = readFileSync(join(root, PAGE), 'utf8')
  const table = new RegExp(`^\\| ${HEAD.join(' \\| ')} \\|\n(\\|.*\n)+`, 'm')
  return [PAGE, text.replace(table, () => renderTable(HEAD, rows))]
}

if (import.meta.main) {
  const [path, text] = renderSettings()
  writeFileSync(join(root, path), text)
}
