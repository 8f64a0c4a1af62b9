import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * Writes `name.br` and `name.gz` for every asset. Pages are left out because the server adds its settings to
 * them.
 */
export async function compressAssets(folder: string): Promise<void> {
  const names = await readdir(folder)
  await Promise.all(names.map((name) => compressAsset(join(folder, name))))
}

async function compressAsset(path: string): Promise<void> {
  const content = await readFile(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, quality),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
