import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface UnixCrypt {
  readonly digest: 'md5' | 'sha256' | 'sha512'
  readonly password: Uint8Array
  readonly salt: string
  /** Always 1,000 with MD5. */
  readonly rounds: number
}

/** The last part of a crypt(3) hash, computed in a separate thread. */
export async function unixCrypt(work: UnixCrypt): Promise<string> {
  const thread = new Worker(new URL('./unix-crypt.mjs', import.meta.url), {
    workerData: work,
    execArgv: [],
  })
  const [computed] = (await once(thread, 'message')) as [string]
  return computed
}
