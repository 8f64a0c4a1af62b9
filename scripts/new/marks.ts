import type { Choices } from './create.ts'

/**
 * Cuts what a product leaves out: lines that end with the comment `sample` or `template`, the line below such
 * a comment, and what is between `#region` and `#endregion` with one of these words.
 */
export function cutMarked(text: string, file: string, { sample }: Choices): string {
  assertPairs(text, file)
  const word = sample ? 'template' : '(?:sample|template)'
  const comment = (edge: string) => `(?://|\\{/\\*|<!--) ${edge}${word}(?: \\*/\\}| -->)?(?: \\|)?\\n`
  const cuts = [
    `^.*${comment('#region ')}[^]*?${comment('#endregion ')}`,
    `^ *${comment('')}.*\\n`,
    `^.*${comment('')}`,
  ]
  return cuts.reduce((left, cut) => left.replaceAll(new RegExp(cut, 'gm'), ''), text)
}

function assertPairs(text: string, file: string): void {
  const edges = [...text.matchAll(/#(?:end)?region (?:sample|template)/g)]
  const odd = edges.find(({ 0: edge }, n) => edge.startsWith('#end') !== (n % 2 === 1))
  const single = odd ?? (edges.length % 2 === 1 ? edges.at(-1) : undefined)
  if (!single) return
  const line = text.slice(0, single.index).split('\n').length
  throw new Error(`${file}:${line} has ${single[0]} without its counterpart.`)
}
