/** By hand: `/\/+$/` tries the row of slashes again from each of them. */
export function withoutEndingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
