import { defineApp, NotFound } from '@ostiary/ui'
import * as config from '../../app.config.ts'
import { Layout } from './layout.tsx'
import { routes } from './routes.tsx'

/** Started by `main.tsx`, and prerendered by the build. */
export const app = defineApp({ config, routes, Layout, NotFound })
