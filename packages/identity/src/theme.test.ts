import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oklch, toGamut, wcagContrast } from 'culori'
import { isColor, shadesOf } from './theme.ts'

const READABLE = 4.5
const hues = Array.from({ length: 36 }, (_, n) => n * 10)
const accents = [
  ...hues.flatMap((hue) => [`oklch(0.7 0.3 ${hue})`, `hsl(${hue} 100% 50%)`, `hsl(${hue} 40% 20%)`]),
  'black',
  'white',
  'yellow',
  'oklch(none 0.1 none)',
  'oklch(0.6 none 20)',
  '#7c3aed',
]

function tintOf(accent: string) {
  const { c = 0, h = 0 } = oklch(accent) ?? {}
  return toGamut('rgb', 'oklch')({ mode: 'oklch', l: 0.955, c: Math.min(c * 0.2, 0.025), h })
}

function darkTintOf(accent: string) {
  const { c = 0, h = 0 } = oklch(accent) ?? {}
  return toGamut('rgb', 'oklch')({ mode: 'oklch', l: 0.27, c: Math.min(c * 0.4, 0.04), h })
}

test('text is readable on every accent, in both themes', () => {
  for (const accent of accents) {
    const { dark_accent, dark_on_accent, ...light } = shadesOf(accent)
    const pairs = [
      [light.accent, light.on_accent],
      [light.accent, '#f8fafb'],
      // Behind a chosen tab.
      [light.accent, tintOf(accent)],
      [dark_accent, dark_on_accent],
      [dark_accent, '#0b1316'],
    ] as const
    for (const [one, other] of pairs)
      assert.ok(wcagContrast(one, other) >= READABLE, `${accent}: ${one} on ${other}`)
  }
})

test('a brand color stays as it is if text of that color is readable', () => {
  for (const accent of ['#005d72', '#b4235a', '#14213d']) assert.equal(shadesOf(accent).accent, accent)
  // 4.5:1 on its tint needs a darker one of the same hue.
  assert.equal(shadesOf('#ff5722').accent, '#d12600')
})

test('uses the accent of the dark theme, lightened until its text is readable', () => {
  assert.equal(shadesOf('#c2410c', '#fb923c').dark_accent, '#fb923c')
  assert.equal(shadesOf('#c2410c', '#fb923c').accent, shadesOf('#c2410c').accent)
  for (const accent of accents) {
    const { dark_accent, dark_on_accent } = shadesOf('teal', accent)
    for (const other of [dark_on_accent, '#0b1316', darkTintOf(accent)])
      assert.ok(wcagContrast(dark_accent, other) >= READABLE, `${accent}: ${dark_accent} on ${other}`)
  }
})

test('no color is six digits, which email clients take for a code', () => {
  for (const accent of accents)
    for (const color of Object.values(shadesOf(accent))) assert.match(color, /^#\d*[a-f][\da-f]*$/)
})

test('only a CSS color is one', () => {
  for (const color of ['seagreen', '#0e5', 'oklch(0.5 0.1 150)', 'hsl(20deg 50% 40%)'])
    assert.ok(isColor(color))
  for (const other of ['greenish', '', 218, undefined]) assert.ok(!isColor(other))
})
