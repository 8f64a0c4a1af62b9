import { startApp } from '@ostiary/ui'
import { app } from './app.tsx'
import './styles.css'

await startApp(app)
