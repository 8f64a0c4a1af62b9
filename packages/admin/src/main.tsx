import { mount } from '@ostiary/ui/internal'
import { BrowserRouter } from 'react-router'
import { AdminApp } from './admin-app.tsx'
import './styles.css'

mount(
  <BrowserRouter basename="/ui">
    <AdminApp />
  </BrowserRouter>,
)
