import { catalogue } from '../../texts/catalogue.ts'
export const connectionsTexts = catalogue('connections', {
  none: 'This site doesn’t offer login with other accounts.',
  isConnected: 'Connected',
  notConnected: 'Not connected',
  since: 'Connected',
  isLast: 'Your only login method. Set a password before disconnecting it.',
  connect: 'Connect',
  disconnect: 'Disconnect',
  busy: 'One moment…',
  cancelled: 'You cancelled connecting this account.',
  justConnected: 'Your accounts are connected.',
  confirm: ['Disconnect', 'Disconnecting…'],
  ask: (name: string) => `Disconnect ${name}?`,
  consequence: (name: string) =>
    `You can no longer log in with ${name}. You can connect it again at any time.`,
  disconnected: (name: string) => `${name} disconnected.`,
})
