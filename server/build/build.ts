import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const server = join(import.meta.dirname, '..')

/**
 * Puts the server and the identity service into a few files in `dist/`, without what nobody calls: half the time to
 * start and two thirds of the memory of the sources, which `npm run dev` and the tests still run as they are.
 */
export async function buildServer(): Promise<void> {
  await build({
    root: server,
    configFile: false,
    logLevel: 'warn',
    // Vite itself, the demo's provider and what prints logs for developers stay packages: they are loaded on
    // demand or not at all. So does what checks passkeys: put together, its polyfill would come after its user.
    ssr: {
      noExternal: true,
      external: ['@node-rs/argon2', '@node-rs/bcrypt', '@simplewebauthn/server', 'oidc-provider', 'vite'],
    },
    build: {
      ssr: 'src/main.ts',
      outDir: 'dist',
      emptyOutDir: true,
      target: 'node24',
      copyPublicDir: false,
      minify: false,
      rolldownOptions: {
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          // Shorter files, but every name as in the sources: a stack trace must tell a reader where to look.
          minify: { codegen: { removeWhitespace: true }, compress: true, mangle: false },
        },
      },
    },
  })
  // Read at run time from beside the code, because every byte of it counts: its hash stands in forms.
  const script = 'identity/src/authenticators/webauthn.js'
  copyFileSync(join(server, '..', script), join(server, 'dist/webauthn.js'))
}

await buildServer()
