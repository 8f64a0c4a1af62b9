// Builds the product of docs/build-your-own.md: node scripts/documents/build-your-own.ts FOLDER
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { root } from '../child.mjs'
import { createProduct } from '../new/create.ts'

export interface Step {
  readonly title: string
  /** In the order of the page. */
  readonly patches: readonly { readonly file: string; readonly text: string }[]
}

/** The numbered headings of the page, each with its diffs and its new files. */
export function readSteps(): Step[] {
  const page = readFileSync(join(root, 'docs/build-your-own.md'), 'utf8')
  const sections = page.split(/^## (?=\d+\. )/m).slice(1)
  return sections.map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    patches: [...text.matchAll(/^```(?:diff\n([\s\S]*?)|tsx?\n\/\/ (\S+)\n([\s\S]*?))```$/gm)].flatMap(
      ([, diff, file, content = '']) => (file ? [newFile(file, content)] : splitDiff(diff ?? '')),
    ),
  }))
}

function newFile(file: string, content: string): Step['patches'][number] {
  const lines = content.trimEnd().split('\n')
  const added = lines.map((line) => `+${line}\n`).join('')
  return { file, text: `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,${lines.length} @@\n${added}` }
}

function splitDiff(diff: string): Step['patches'] {
  const parts = diff.split(/^(?=--- a\/)/m)
  return parts.map((text) => ({ file: /^\+\+\+ b\/(.*)$/m.exec(text)?.[1] ?? '', text }))
}

/** Makes the product and takes every step. */
export async function buildReadlist(target: string): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} exists already.`)
  await createProduct(target, { name: 'Readlist', providers: ['github', 'google'], sample: false })
  for (const step of readSteps()) take(step, target)
}

function take({ title, patches }: Step, target: string): void {
  // Inside another repository, git would skip the files.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(target) }
  for (const { file, text } of patches) {
    const { status, stderr } = spawnSync('git', ['apply', '-'], {
      cwd: target,
      env,
      input: text,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`Step ${title} does not apply to ${file}:\n${stderr}${text}`)
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Name the folder of the new product.')
  await buildReadlist(resolve(folder))
}
