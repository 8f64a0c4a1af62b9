import { BrowserRouter } from 'react-router'
import { mount } from '../mount.tsx'
import { AdminApp } from './admin-app.tsx'

mount(
  <BrowserRouter basename="/ui">
    <AdminApp />
  </BrowserRouter>,
)
