import { mount } from '@ostiary/ui'
import { BrowserRouter } from 'react-router'
import { AdminApp } from './admin-app.tsx'
import './styles.css'

mount(
  <BrowserRouter basename="/ui">
    <AdminApp />
  </BrowserRouter>,
)
