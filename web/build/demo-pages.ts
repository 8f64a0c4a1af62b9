/** The pages of demo mode by their addresses: each is a build of its own, beside that of the app. */
export const demoPages: Readonly<Record<string, string>> = {
  '/demo/inbox': 'demo-inbox.html',
  '/demo/consent': 'demo-provider.html',
}
