import { mount } from '@ostiary/ui/internal'
import { DemoInbox, EmailPreviews } from './demo-inbox.tsx'
import '../styles.css'

const pages = { '/demo/inbox': DemoInbox, '/demo/emails': EmailPreviews } as const

const Page = pages[location.pathname as keyof typeof pages]
mount(<Page />)
