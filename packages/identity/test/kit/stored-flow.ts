import type { Flow } from '../../src/storage/flows/flows.ts'

export const NOW = '2031-04-02T09:00:00.000Z'

export const storedFlow = (id: string, expires_at = NOW): Flow<'login'> => ({
  id,
  kind: 'login',
  type: 'browser',
  state: 'choose_method',
  issued_at: NOW,
  expires_at,
  created_at: NOW,
  updated_at: NOW,
  request_url: 'http://identity.test/self-service/login/browser',
  refresh: false,
  requested_aal: 'aal1',
  csrf_token: '',
  ui: { action: '', method: 'POST', nodes: [] },
  memo: { values: { 'traits.name': 'nul\0 and \ud800' } },
  version: 0,
})
