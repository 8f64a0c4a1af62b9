import { defineApp, page, startApp } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import { Stage } from './stage.tsx'
import { Frame, Leave, Surroundings } from './surroundings.tsx'
import '../styles.css'

await startApp(
  defineApp({
    config: product(),
    routes: [page('/demo', async () => ({ default: Stage }))],
    Layout: Surroundings,
    NotFound: Leave,
    components: { FormPage: () => Frame },
  }),
)
