/** GitHub's last responses, which save calls and survive failures. */
export interface CachedReply {
  readonly data: unknown
  readonly etag: string | undefined
  /** The path of a list's next page. */
  readonly next: string | undefined
  readonly size: number
  readonly confirmed_at: number
}

export interface ReplyCache {
  find(path: string): CachedReply | undefined
  put(path: string, copy: CachedReply): void
}

export function createReplyCache(maxEntries: number, maxBytes: number): ReplyCache {
  const byPath = new Map<string, CachedReply>()
  let bytes = 0

  function remove(path: string): void {
    bytes -= byPath.get(path)?.size ?? 0
    byPath.delete(path)
  }

  return {
    find(path) {
      const copy = byPath.get(path)
      if (!copy) return undefined
      byPath.delete(path)
      byPath.set(path, copy)
      return copy
    },
    put(path, copy) {
      remove(path)
      byPath.set(path, copy)
      bytes += copy.size
      for (const oldest of byPath.keys()) {
        if (byPath.size <= maxEntries && bytes <= maxBytes) return
        remove(oldest)
      }
    },
  }
}
