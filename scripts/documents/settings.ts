import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import product from '../../app/server.ts'
import { listSettings } from '../../packages/server/src/settings/env.ts'
import { providerVariables } from '../../packages/server/src/settings/providers.ts'
import { root } from '../root.ts'
import { renderTable } from './differences.ts'

const PAGE = 'docs/configuration.md'
const HEAD = ['variable', 'default', 'description']

/** The page with the table of the settings. docs/providers.md has those of providers. */
export function renderSettings(): readonly [path: string, text: string] {
  const rows = listSettings(product)
    .filter(({ name }) => !(name in providerVariables.shape))
    .map(({ name, fallback, description }) => [`\`${name}\``, fallback, description])
  const text = readFileSync(join(root, PAGE), 'utf8')
  const table = new RegExp(`^\\| ${HEAD.join(' \\| ')} \\|\n(\\|.*\n)+`, 'm')
  return [PAGE, text.replace(table, () => renderTable(HEAD, rows))]
}

if (import.meta.main) {
  const [path, text] = renderSettings()
  writeFileSync(join(root, path), text)
}
