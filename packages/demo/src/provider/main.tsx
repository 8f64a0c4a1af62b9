import { mount } from '@ostiary/ui'
import { DemoProvider } from './demo-provider.tsx'
import '../styles.css'

mount(<DemoProvider />)
