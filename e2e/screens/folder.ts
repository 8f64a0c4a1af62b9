import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

export const folder = join(import.meta.dirname, '../../screens')
mkdirSync(folder, { recursive: true })

export const schemes = ['light', 'dark'] as const
export const widths = [320, 390, 768, 1280] as const

export const heights: Readonly<Record<(typeof widths)[number], number>> = {
  320: 640,
  390: 844,
  768: 1024,
  1280: 800,
}

export function pictureName(state: string, scheme: string, width: number): string {
  return `${state.replaceAll(/\W+/g, '-')}.${scheme}.${width}.png`
}
