import { mount } from '@ostiary/ui/internal'
import { DemoProvider } from './demo-provider.tsx'
import '../styles.css'

mount(<DemoProvider />)
