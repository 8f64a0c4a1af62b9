import { mount } from '../mount.tsx'
import { DemoInbox, EmailPreviews } from './demo-inbox.tsx'

mount(location.pathname === '/demo/emails' ? <EmailPreviews /> : <DemoInbox />)
