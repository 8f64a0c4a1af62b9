import { formatHex, type Oklch, oklch, parse, toGamut, wcagContrast } from 'culori'

export function isColor(text: unknown): boolean {
  return typeof text === 'string' && parse(text) !== undefined
}

type Shades = Record<'accent' | 'on_accent' | 'dark_accent' | 'dark_on_accent', string>

/**
 * The shades of an accent in both themes, in hexadecimal sRGB. The light one is the accent itself if text of that
 * color is readable. `styles.css` of `@ostiary/ui` derives the others in the same way.
 *
 * @param accent any CSS color
 * @throws TypeError if it is none
 */
export function shadesOf(accent: string): Shades {
  const color = oklch(accent)
  if (!color) throw new TypeError(`${accent} is not a CSS color`)
  // `none` leaves a part out.
  const { l = 0, c = 0, h = 0 } = color
  const shade = (l: number, c: number) => hexOf({ mode: 'oklch', l, c, h })
  const tint = shade(0.955, Math.min(c * 0.2, 0.025))
  let lightness = l
  while (wcagContrast(shade(lightness, c), tint) < READABLE) lightness -= 0.005
  return {
    accent: shade(lightness, c),
    on_accent: shade(1, 0),
    dark_accent: shade(0.8, Math.min(c, 0.1)),
    dark_on_accent: shade(0.2, Math.min(c * 0.4, 0.04)),
  }
}

/** 4.5 by WCAG 2.2 (1.4.3), and room for rounding. */
const READABLE = 4.52

const toSrgb = toGamut('rgb', 'oklch')

/** With a letter: email clients take six digits for a code. */
function hexOf(color: Oklch): string {
  return formatHex(toSrgb(color)).replace(/^(#\d{5})\d$/, '$1a')
}
