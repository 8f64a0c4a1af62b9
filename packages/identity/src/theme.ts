import { formatHex, type Oklch, oklch, parse, toGamut, wcagContrast } from 'culori'

export function isColor(text: unknown): boolean {
  return typeof text === 'string' && parse(text) !== undefined
}

type Shades = Record<'accent' | 'on_accent' | 'dark_accent' | 'dark_on_accent', string>

/**
 * The shades of an accent in both themes, in hexadecimal sRGB. A color stays as it is if text of it is readable.
 *
 * @param accent any CSS color
 * @param darkAccent of the dark theme; default: a light shade of the accent
 * @throws TypeError if one is none
 */
export function shadesOf(accent: string, darkAccent?: string): Shades {
  const color = parseColor(accent)
  const darkColor = darkAccent ? parseColor(darkAccent) : { ...color, l: 0.8, c: Math.min(color.c, 0.1) }
  const { c, h } = darkColor
  return {
    accent: readableOn({ ...color, l: 0.955, c: Math.min(color.c * 0.2, 0.025) }, color, -0.005),
    on_accent: hexOf({ ...color, l: 1, c: 0 }),
    dark_accent: readableOn({ mode: 'oklch', l: 0.27, c: Math.min(c * 0.4, 0.04), h }, darkColor, 0.005),
    dark_on_accent: hexOf({ mode: 'oklch', l: 0.2, c: Math.min(c * 0.4, 0.04), h }),
  }
}

function parseColor(text: string): Required<Oklch> {
  const color = oklch(text)
  if (!color) throw new TypeError(`theme: ${JSON.stringify(text)} is not a CSS color such as #0e5a6b`)
  // `none` leaves a part out.
  const { l = 0, c = 0, h = 0 } = color
  return { mode: 'oklch', l, c, h, alpha: 1 }
}

function readableOn(tint: Oklch, { l, ...color }: Oklch, step: number): string {
  let lightness = l
  while (wcagContrast(hexOf({ ...color, l: lightness }), hexOf(tint)) < READABLE) lightness += step
  return hexOf({ ...color, l: lightness })
}

/** 4.5 by WCAG 2.2 (1.4.3), and room for rounding. */
const READABLE = 4.52

const toSrgb = toGamut('rgb', 'oklch')

/** With a letter: email clients take six digits for a code. */
function hexOf(color: Oklch): string {
  return formatHex(toSrgb(color)).replace(/^(#\d{5})\d$/, '$1a')
}
