import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { assetsInlineLimit: 0 },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    include: ['{src,build}/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    css: false,
    // Only a hang takes this long, even on a busy machine.
    testTimeout: 30_000,
    // Every test sets up its own state. A fresh environment per file would double the time.
    isolate: false,
  },
})
