import { copyFileSync, existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

/** The folder of the product, where commands run. */
const root = process.cwd()
const dist = join(root, 'app/dist/server')
/** The entry of the service without an app, which only this repository has. */
const standalone = join(root, 'packages/kratos/src/main.ts')

/**
 * Bundles start in half the time and use two thirds of the memory of the sources, which `npm run
 * dev` and the tests run.
 */
async function buildServer(): Promise<void> {
  await build({
    root: join(root, 'app'),
    configFile: false,
    logLevel: 'warn',
    // Machine code, and what production never loads (Vite, the demo's provider), stay packages. So
    // does the passkey verifier: a bundled polyfill would run after the code that needs it.
    // scripts/image.mjs copies them.
    define: { BUILD_COMMIT: JSON.stringify(process.env.COMMIT ?? '') },
    ssr: {
      noExternal: true,
      external: ['@node-rs/argon2', '@node-rs/bcrypt', '@simplewebauthn/server', 'oidc-provider', 'vite'],
    },
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: true,
      target: 'node24',
      copyPublicDir: false,
      minify: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { main: join(root, 'app/main.ts'), ...(existsSync(standalone) && { identity: standalone }) },
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          // Node keeps a module's text in two bytes a character if one is not ASCII.
          charset: 'ascii',
          // For readable stack traces.
          minify: { codegen: { removeWhitespace: true }, compress: true, mangle: false },
        },
      },
    },
  })
  const identity = dirname(fileURLToPath(import.meta.resolve('@ostiary/identity')))
  // Forms contain the hash of the script's bytes. In the published package, the files are next to the bundle.
  for (const path of [
    'authenticators/webauthn.js',
    'crypto/passwords/unix-crypt.mjs',
    'strategies/password/common-passwords.txt.gz',
  ])
    copyFileSync(
      [path, basename(path)].map((one) => join(identity, one)).find(existsSync) ?? path,
      join(dist, basename(path)),
    )
}

await buildServer().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
