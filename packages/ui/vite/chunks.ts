// Few files for the first page, because each costs a round trip. Packages change less often than our code, so
// browsers keep them cached.
export const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\/|rolldown\/runtime/,
  },
  {
    name: 'shared',
    test: /app\.config|app\/(texts|web\/(app|layout|routes))\.|react\/src\/(internal|index|service|session|clock|browser)|ui\/src\/(index|app|start-app|pages|routes|product|api|auth\/(?!visitors-only)|layout\/(?!account-menu)|flow\/return-target|paths|features\/message-pages\/(not-found|require-role)|ui\/(browser|button|copy-button|form\/form-error|icons|page))/,
  },
  // Anonymous visits of public pages do not load the identity client.
  { name: 'identity', test: /node_modules\/@ory\/|react\/src\/flow\/(client|reword)/ },
  // Separate small files would compress worse.
  {
    name: 'flow',
    test: /react\/src\/(flow\/(?!client|reword)|forms\/)|ui\/src\/flow\/(failures|providers|flow-in-url)/,
  },
  // On the dashboard and in the demo's panel too.
  {
    name: 'signed-in',
    test: /readable-address|ui\/src\/(features\/account-area\/account-notices|ui\/(address|lazy-part|format|list))/,
  },
  {
    name: 'form',
    test: /node_modules\/zod\/|ui\/src\/(auth\/visitors-only|flow\/rules|ui\/form\/(schema|choice-fields|fields|form-parts|use-form))/,
  },
  // For login and registration.
  {
    name: 'credentials',
    test: /ui\/src\/forms\/credentials/,
  },
  {
    name: 'login-form',
    test: /ui\/src\/features\/sign-in\/(login-form|sign-in-form|use-sign-in|passkey-button|texts)/,
  },
  { name: 'mailed-code', test: /ui\/src\/forms\/code\// },
  // Parts that open in place load later.
  {
    name: 'account',
    test: /ui\/src\/(features\/account-area\/account-area|forms\/settings\/(expandable-card|confirm\.tsx)|ui\/(card|save-file))/,
  },
  // For pages that change something.
  { name: 'settings', test: /ui\/src\/forms\/settings\/(use-settings|credential-details)/ },
  // For the demo's panel and pages.
  { name: 'demo', test: /demo\/src\/(panel\/(world|people)|pages\/(follow-changes|list-mails))/ },
]
