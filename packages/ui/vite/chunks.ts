// Few files for the first page, because each costs a round trip. Packages change less often than our code, so
// browsers keep them cached.
export const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\/|rolldown\/runtime/,
  },
  { name: 'zod', test: /node_modules\/zod\/|ui\/src\/ui\/form\/schema/ },
  {
    name: 'shared',
    test: /app\.config|app\/(texts|web\/(app|layout|routes))\.|react\/src\/(flows|index|service|session|clock|browser)|ui\/src\/(index|app|start-app|pages|routes|product|api|auth\/(?!visitors-only)|layout\/(?!account-menu)|flow\/onward|paths|features\/standstill\/not-found|ui\/(browser|button|copy-button|form\/form-error|icons|page))/,
  },
  // Anonymous visits of public pages do not load the identity client.
  { name: 'identity', test: /node_modules\/@ory\/|react\/src\/flow\/(client|own-words)/ },
  // Separate small files would compress worse.
  {
    name: 'flow',
    test: /react\/src\/flow\/(?!client|own-words|passkeys|traits)|ui\/src\/flow\/(failures|use-flow)/,
  },
  {
    name: 'form',
    test: /ui\/src\/(auth\/visitors-only|flow\/rules|ui\/form\/(choice-fields|fields|form-parts|use-form))/,
  },
  { name: 'mailed-code', test: /ui\/src\/forms\/code\// },
  // On the dashboard too.
  { name: 'signed-in', test: /ui\/src\/(features\/account-area\/account-notices|ui\/(lazy-part|format))/ },
  // Parts that open in place load later.
  {
    name: 'account',
    test: /ui\/src\/(features\/account-area\/account-area|forms\/settings\/(opening-card|confirm\.tsx)|ui\/(card|save-file))/,
  },
  // For pages that change something.
  { name: 'settings', test: /ui\/src\/forms\/settings\/(use-settings|known-credentials)/ },
]
