import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../src/repository.ts'

/** Asserts that the test file contains the first code of this recipe of `docs/building.md`, or its markup. */
export function assertRecipe(heading: string, testFile: string, language = 'tsx?'): void {
  const recipes = readFileSync(join(repositoryRoot, 'docs/building.md'), 'utf8').split('\n## ')
  const recipe = recipes.find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(recipe)?.[1] ?? ''
  assert.ok(code !== '' && recipe.split('\n').length <= 30, heading)
  assert.ok(withoutIndents(readFileSync(testFile, 'utf8')).includes(withoutIndents(code)), code)
}

function withoutIndents(code: string): string {
  return code.replaceAll(/^ +/gm, '')
}
