export type Manifest = Record<string, { file: string; src?: string; imports?: string[]; isEntry?: boolean }>

/** Links that let the browser fetch a screen's files while it parses the page. */
export function preloadLinks(manifest: Manifest, sources: readonly string[]): string {
  const entry = new Set(filesOf(manifest, 'index.html'))
  const needed = new Set(sources.flatMap((source) => filesOf(manifest, source)))
  return [...needed]
    .filter((file) => !entry.has(file))
    .map((file) => `  <link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}" />\n  `)
    .join('')
}

function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  if (seen.has(key)) return []
  seen.add(key)
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The build has no file for ${key}`)
  return [chunk.file, ...(chunk.imports ?? []).flatMap((imported) => filesOf(manifest, imported, seen))]
}
