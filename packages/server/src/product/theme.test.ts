import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wcagContrast } from 'culori'
import { emailColors, isColor } from './theme.ts'

const READABLE = 4.5
const hues = Array.from({ length: 36 }, (_, n) => n * 10)
const accents = [
  ...hues.flatMap((hue) => [`oklch(0.7 0.3 ${hue})`, `hsl(${hue} 100% 50%)`, `hsl(${hue} 40% 20%)`]),
  'black',
  'white',
  'yellow',
  '#7c3aed',
]

test('text is readable on every accent, in both themes', () => {
  for (const accent of accents) {
    const { dark_accent, dark_on_accent, ...light } = emailColors({ accent })
    const pairs = [
      [light.accent, light.on_accent],
      [light.accent, '#f8fafb'],
      [dark_accent, dark_on_accent],
      [dark_accent, '#0b1316'],
    ] as const
    for (const [one, other] of pairs)
      assert.ok(wcagContrast(one, other) >= READABLE, `${accent}: ${one} on ${other}`)
  }
})

test('a dark brand color stays as it is', () => {
  assert.equal(emailColors({ accent: '#005d72' }).accent, '#005d72')
  assert.equal(emailColors({ accent: 'rebeccapurple' }).accent, '#66339a')
})

test('no color is six digits, which email clients take for a code', () => {
  for (const accent of accents)
    for (const color of Object.values(emailColors({ accent }))) assert.match(color, /^#\d*[a-f][\da-f]*$/)
})

test('only a CSS color is one', () => {
  for (const color of ['seagreen', '#0e5', 'oklch(0.5 0.1 150)', 'hsl(20deg 50% 40%)'])
    assert.ok(isColor(color))
  for (const other of ['greenish', '', 218, undefined]) assert.ok(!isColor(other))
})
