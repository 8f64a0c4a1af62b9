import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Relative links of documents that lead to no file or heading. */
export function findBrokenLinks(folder: string, documents: readonly string[]): string[] {
  return documents.flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(join(folder, path), target))
      .map((target) => `${path} → ${target}`),
  )
}

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#')
  const path = file === '' ? from : join(dirname(from), file)
  if (!existsSync(path)) return false
  return heading === undefined || headingsOf(readFileSync(path, 'utf8')).includes(heading)
}

/** As GitHub generates them. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
