import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const repository = join(import.meta.dirname, '../..')

/** The pages of all packages are tested as one app. */
export default defineConfig({
  root: repository,
  plugins: [react()],
  resolve: { alias: { '/@logo.svg': join(repository, 'app/web/logo.svg') } },
  build: { assetsInlineLimit: 0 },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['{app/web,packages/ui,packages/{react,admin,demo}/src}/**/*.test.{ts,tsx}'],
    setupFiles: ['packages/react/src/testing/setup.ts', 'packages/ui/src/testing/setup.ts'],
    css: false,
    // Only a hang takes this long, even on a busy machine.
    testTimeout: 30_000,
    // Every test sets up its own state. A fresh environment per file would double the time.
    isolate: false,
  },
})
