import { formatHex, type Oklch, oklch, parse, toGamut } from 'culori'

/** The looks of a product. Its pages have more of it than its emails. */
export interface Theme {
  /** Any CSS color. */
  readonly accent: string
}

export function isColor(text: unknown): boolean {
  return typeof text === 'string' && parse(text) !== undefined
}

type EmailColors = Record<'accent' | 'on_accent' | 'dark_accent' | 'dark_on_accent', string>

/** The shades of `styles.css` in `@ostiary/ui`, because few email clients compute colors. */
export function emailColors({ accent }: Theme): EmailColors {
  const { l = 0, c = 0, h = 0 } = oklch(accent) ?? {}
  const shade = (l: number, c: number) => hexOf({ mode: 'oklch', l, c, h })
  return {
    accent: shade(Math.min(Math.max(l, 0.35), 0.5), Math.min(c, 0.2)),
    on_accent: shade(1, 0),
    dark_accent: shade(0.8, Math.min(c, 0.1)),
    dark_on_accent: shade(0.2, Math.min(c * 0.4, 0.04)),
  }
}

const toSrgb = toGamut('rgb', 'oklch')

/** With a letter: email clients take six digits for a code. */
function hexOf(color: Oklch): string {
  return formatHex(toSrgb(color)).replace(/^(#\d{5})\d$/, '$1a')
}
