/** By hand: `/\/+$/` retries a run of slashes from each of them (quadratic time). */
export function withoutEndingSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
