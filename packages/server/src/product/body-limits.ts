/** The largest body by prefix of a path, such as `{ '/api/v1/photos': '5MB' }`. */
export type BodyLimits = Readonly<Record<string, string>>

const LARGEST = 100 * 2 ** 20

export function* findBodyLimitProblems(limits: BodyLimits = {}) {
  for (const [prefix, size] of Object.entries(limits)) {
    if (!/^\/api\/v1(\/[\w.~-]+)+$/.test(prefix))
      yield `bodyLimits in app/server.ts names ${JSON.stringify(prefix)}. Use a path such as /api/v1/photos, without parameters.`
    const bytes = parseSize(size)
    if (bytes === undefined || bytes > LARGEST)
      yield `bodyLimits in app/server.ts gives ${prefix} ${JSON.stringify(size)}. Use a size from 1KB to 100MB, such as 5MB.`
  }
}

/** @param paths of all routes, such as `/api/v1/photos/:id` */
export function* findUnusedBodyLimits(limits: BodyLimits = {}, paths: readonly string[]) {
  for (const prefix of Object.keys(limits)) {
    const segments = prefix.split('/')
    const isBelow = (path: string) => {
      const steps = path.split('/')
      const matches = (segment: string, n: number) => steps[n] === segment || /^[:*]/.test(steps[n] ?? '')
      return segments.slice(0, steps.at(-1) === '*' ? steps.length : undefined).every(matches)
    }
    if (!paths.some((path) => /^\/api\/v1\/[^*]/.test(path) && isBelow(path)))
      yield `bodyLimits in app/server.ts names ${prefix}, but no route begins so. Correct it, or add the route to app/server/api.ts.`
  }
}

export function readBodyLimits(
  limits: BodyLimits = {},
): readonly (readonly [prefix: string, bytes: number])[] {
  const read = Object.entries(limits).map(([prefix, size]) => [prefix, parseSize(size) ?? 0] as const)
  // The longest prefix counts.
  return read.sort(([one], [other]) => other.length - one.length)
}

const UNITS: Readonly<Record<string, number>> = { KB: 2 ** 10, MB: 2 ** 20 }

function parseSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,5})(KB|MB)$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 0)
}
