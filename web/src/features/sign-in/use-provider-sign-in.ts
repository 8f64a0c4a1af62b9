import type { LoginFlow, UpdateLoginFlowBody } from '@ory/client-fetch'
import { useEffect, useState } from 'react'
import type { UsedFlow } from '../../flow/use-flow.ts'
import { type Provider, providerNames } from './providers.ts'

/** Sends the browser to the address that the identity service returns for a provider. */
export function useProviderSignIn(
  login: UsedFlow<LoginFlow, UpdateLoginFlowBody>,
  onFailure: (message: string, canRetry: boolean) => void,
) {
  const [busy, setBusy] = useState<Provider>()

  async function start(provider: Provider) {
    setBusy(provider)
    const address = await redirectAddress(login, provider)
    // While the browser leaves, the button stays busy: a second press would begin a second sign-in.
    if (address) return location.assign(address)
    setBusy(undefined)
    onFailure(`Sign in with ${providerNames[provider]} is not available yet.`, false)
  }

  // The browser's back button brings the page back as it was left: with a busy button.
  useEffect(() => {
    const onShow = () => setBusy(undefined)
    addEventListener('pageshow', onShow)
    return () => removeEventListener('pageshow', onShow)
  }, [])

  return { busy, start: (provider: Provider) => void start(provider) }
}

/** The redirect address; empty when the sign-in cannot begin, which is logged. */
async function redirectAddress(
  login: UsedFlow<LoginFlow, UpdateLoginFlowBody>,
  provider: Provider,
): Promise<string> {
  try {
    // A 422 with redirect_browser_to is the answer to expect.
    const reply = await login.submit({ build: (csrf_token) => ({ method: 'oidc', provider, csrf_token }) })
    if (reply.kind === 'go') return reply.url
    console.warn(`Sign in with ${providerNames[provider]} could not begin:`, reply.kind)
  } catch (error) {
    console.warn(`Sign in with ${providerNames[provider]} could not begin:`, error)
  }
  return ''
}
