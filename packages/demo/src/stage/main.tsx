import { defineApp, page, startApp } from '@ostiary/ui'
import { product, TitleSection } from '@ostiary/ui/internal'
import { type ReactNode, useEffect } from 'react'
import { Bar } from '../pages/demo-page.tsx'
import { demoTexts } from '../texts.ts'
import { Stage } from './stage.tsx'
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

function Frame({ children }: { children: ReactNode }) {
  return <div className="rounded-card border-line sm:border sm:bg-surface sm:px-6 sm:py-4">{children}</div>
}

function Surroundings({ children }: { children: ReactNode }) {
  return (
    <TitleSection value={demoTexts.demo}>
      <Bar />
      {children}
    </TitleSection>
  )
}

/** The router has opened a page of the app, which this entry does not have. */
function Leave() {
  useEffect(() => location.reload(), [])
  return null
}
