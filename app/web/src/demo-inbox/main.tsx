import { mount } from '../mount.tsx'
import { DemoInbox } from './demo-inbox.tsx'

mount(<DemoInbox />)
