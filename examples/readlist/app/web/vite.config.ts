import { ostiary } from '@ostiary/ui/vite'
import { defineConfig } from 'vite'
import * as config from '../../app.config.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [ostiary(config)],
})
