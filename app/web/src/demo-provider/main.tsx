import { mount } from '../mount.tsx'
import { DemoProvider } from './demo-provider.tsx'

mount(<DemoProvider />)
