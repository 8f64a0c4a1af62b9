import { mount, TitleSection } from '@ostiary/ui/internal'
import { demoTexts } from '../texts.ts'
import { DemoInbox, EmailPreviews } from './demo-inbox.tsx'
import '../styles.css'

const pages = { '/demo/inbox': DemoInbox, '/demo/emails': EmailPreviews } as const

const Page = pages[location.pathname as keyof typeof pages]
mount(
  <TitleSection value={demoTexts.demo}>
    <Page />
  </TitleSection>,
)
