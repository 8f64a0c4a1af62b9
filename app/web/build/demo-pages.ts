/** The pages of demo mode by their paths: each has its own entry in the build. */
export const demoPages: Readonly<Record<string, string>> = {
  '/demo/inbox': 'demo-inbox.html',
  '/demo/consent': 'demo-provider.html',
}
