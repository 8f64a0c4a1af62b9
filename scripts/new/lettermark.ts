/** Strokes of capital letters in a square of 32. */
const LETTERS: Readonly<Record<string, string>> = {
  A: 'M9 23 16 9l7 14M11.5 18.5h9',
  B: 'M10 9v14h7.5a3.75 3.75 0 0 0 0-7.5H10h6.5a3.25 3.25 0 0 0 0-6.5z',
  C: 'M22 11.5a7 7 0 1 0 0 9',
  D: 'M10 9v14h5a7 7 0 0 0 0-14z',
  E: 'M22 9H11v14h11M11 16h9',
  F: 'M22 9H11v14M11 16h9',
  G: 'M22 11.5A7 7 0 1 0 23 17h-6',
  H: 'M10 9v14M22 9v14M10 16h12',
  I: 'M16 9v14',
  J: 'M20 9v9.5a4.5 4.5 0 0 1-9 0',
  K: 'M11 9v14M22 9 11 17M14.5 14.5 22 23',
  L: 'M11 9v14h10',
  M: 'M9 23V9l7 9 7-9v14',
  N: 'M10 23V9l12 14V9',
  O: 'M16 9a7 7 0 1 0 0 14 7 7 0 1 0 0-14z',
  P: 'M11 23V9h6.5a4 4 0 0 1 0 8H11',
  Q: 'M16 9a7 7 0 1 0 0 14 7 7 0 1 0 0-14zM19 19l4 4',
  R: 'M11 23V9h6.5a4 4 0 0 1 0 8H11m5 0 6 6',
  S: 'M21.5 11.5c-1-1.6-3-2.5-5.3-2.5-3 0-5 1.3-5 3.5 0 4.7 10.6 2.3 10.6 7 0 2.2-2 3.5-5.1 3.5-2.5 0-4.7-1-5.7-2.8',
  T: 'M9 9h14M16 9v14',
  U: 'M10 9v8a6 6 0 0 0 12 0V9',
  V: 'm9 9 7 14 7-14',
  W: 'm8 9 4 14 4-10 4 10 4-14',
  X: 'm10 9 12 14M22 9 10 23',
  Y: 'm9 9 7 7 7-7m-7 7v7',
  Z: 'M10 9h12L10 23h12',
}

/**
 * A logo until the product has one: the first letter of its name that is one of A to Z, without a mark. In black and
 * white, because an image cannot follow the accent.
 */
export function lettermark(name: string): string {
  const [letter = 'O'] = /[A-Z]/.exec(name.normalize('NFD').toUpperCase()) ?? []
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <title>Logo</title>
  <style>@media (prefers-color-scheme: dark) { rect { fill: #eee } path { stroke: #222 } }</style>
  <rect width="32" height="32" rx="8" fill="#222"/>
  <path d="${LETTERS[letter]}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>
</svg>
`
}
