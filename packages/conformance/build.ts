import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = import.meta.dirname
const dist = join(root, 'dist')

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: 'test/main.ts',
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rolldownOptions: { output: { entryFileNames: 'main.js' } },
  },
})
for (const file of ['README.md', '../../LICENSE', 'person.schema.json', 'tokenizer.jwks.json'])
  copyFileSync(join(root, file), join(dist, file.replace('../../', '')))
// Its paths are relative to the folder in which the service starts.
const config = readFileSync(join(root, 'kratos.yaml'), 'utf8')
writeFileSync(join(dist, 'kratos.yaml'), config.replaceAll('packages/conformance/', ''))

const { private: _, devDependencies: __, exports: ___, ...manifest } = readManifest()
const published = {
  ...manifest,
  bin: { conformance: './main.js' },
  dependencies: { '@ory/client-fetch': manifest.dependencies['@ory/client-fetch'] },
  publishConfig: { access: 'public' },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)

function readManifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}
