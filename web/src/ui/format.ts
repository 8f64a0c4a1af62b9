/** Numbers as the browser's language writes them. */
export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** A time span in its largest unit: "12 minutes". */
export function formatSeconds(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 120 ? unit('minute').format(minutes) : unit('hour').format(Math.round(minutes / 60))
}

// Undefined is the browser's own language.
const numbers = new Intl.NumberFormat(undefined)

function unit(name: 'minute' | 'hour'): Intl.NumberFormat {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay: 'long' })
}
