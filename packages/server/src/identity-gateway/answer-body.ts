import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { readCapped } from '@ostiary/identity/serving'
import { unavailable } from './send.ts'

/** A page of sessions, the largest response, has half a megabyte. */
const maxSize = 4 * 2 ** 20

type Unpack = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const unpackers: Readonly<Record<string, Unpack>> = {
  identity: async (content) => content,
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * The body as received, and its text unless the encoding is unknown or wrong. Throws a `ProductError` if it ends early
 * or is too large, encoded or decoded.
 */
export async function readAnswer(answer: IncomingMessage, encoding: string | null) {
  const bytes = await readCapped(answer, maxSize).catch((error: unknown) =>
    Promise.reject(unavailable(error)),
  )
  const unpack = unpackers[(encoding ?? 'identity').trim().toLowerCase()]
  const text = await unpack?.(bytes, { maxOutputLength: maxSize }).then(
    (content) => content.toString('utf8'),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_BUFFER_TOO_LARGE') throw unavailable(error)
      return undefined
    },
  )
  return { bytes, text }
}
