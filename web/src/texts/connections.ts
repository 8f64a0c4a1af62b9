/** The words of the page with the accounts elsewhere that a user signs in with. */
export const connectionsTexts = {
  lead: 'Accounts elsewhere that you can sign in with.',
  none: 'This site has no accounts elsewhere to sign in with.',
  isConnected: 'Connected',
  notConnected: 'Not connected',
  since: 'Connected',
  isLast: 'Your only sign-in method. Set a password before disconnecting it.',
  connect: 'Connect',
  disconnect: 'Disconnect',
  busy: 'One moment…',
  justConnected: 'Your accounts are connected.',
  confirm: ['Disconnect', 'Disconnecting…'],
  ask: (name: string) => `Disconnect ${name}?`,
  consequence: (name: string) =>
    `You can no longer sign in with ${name}. You can connect it again at any time.`,
  disconnected: (name: string) => `${name} disconnected.`,
} as const
