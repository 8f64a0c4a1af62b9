/** Numbers as the browser's language writes them. */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** A time span in its largest unit: "12 minutes". */
export function formatSeconds(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 120) return unit('minute').format(minutes)
  const hours = Math.round(minutes / 60)
  return hours < 48 ? unit('hour').format(hours) : unit('day').format(Math.round(hours / 24))
}

export function formatMilliseconds(milliseconds: number): string {
  return unit('millisecond', 'short').format(Math.round(milliseconds))
}

export function formatMegabytes(megabytes: number): string {
  return unit('megabyte', 'short').format(Math.round(megabytes))
}

// Undefined is the browser's own language.
const numbers = new Intl.NumberFormat(undefined)

function unit(name: string, unitDisplay: 'long' | 'short' = 'long'): Intl.NumberFormat {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay })
}
