import type { OryClientConfiguration } from '@ory/elements-react'
import { Login } from '@ory/elements-react/theme'
import '@ory/elements-react/theme/styles.css'
import { type ComponentProps, useEffect, useState } from 'react'

const url = `${location.origin}/.ory`

export const config: OryClientConfiguration = {
  sdk: { url },
  project: {
    name: 'Example',
    registration_enabled: true,
    verification_enabled: true,
    recovery_enabled: true,
    login_ui_url: '/login',
    registration_ui_url: '/register',
    verification_ui_url: '/verify',
    recovery_ui_url: '/recovery',
    settings_ui_url: '/settings',
    error_ui_url: '/error',
    default_redirect_url: '/',
  },
}

export function LoginPage() {
  const [flow, setFlow] = useState<ComponentProps<typeof Login>['flow']>()
  useEffect(() => {
    const headers = { Accept: 'application/json' }
    const answer = fetch(`${url}/self-service/login/browser`, { headers, credentials: 'include' })
    void answer.then((response) => response.json()).then(setFlow)
  }, [])
  return flow && <Login flow={flow} config={config} />
}
