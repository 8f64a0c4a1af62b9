import type { BrowserContext } from '@playwright/test'

/** For an expected error status. */
const ordinaryAnswer =
  /^Failed to load resource: the server responded with a status of (400|401|403|404|409|410|422) /

/** Console errors, uncaught exceptions and CSP violations. The list grows while the pages are open. */
export async function watch(context: BrowserContext, provoked = /^$/): Promise<string[]> {
  const problems: string[] = []
  const note = (text: string) => {
    if (![ordinaryAnswer, provoked].some((pattern) => pattern.test(text))) problems.push(text)
  }
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    // Chromium names no address.
    const resource = message.text().startsWith('Failed to load resource') && message.location().url
    note(resource ? `${message.text()} (${resource})` : message.text())
  })
  context.on('weberror', (webError) => {
    const { name, message, stack } = webError.error()
    // A DOMException has no stack here.
    note(`uncaught: ${stack || `${name}: ${message}`}`)
  })
  await context.exposeBinding(reporterName, ({ page }, violation: string) => {
    note(`policy violation on ${page.url()}: ${violation}`)
  })
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) =>
    window.${reporterName}?.(violation.effectiveDirective + ' stopped ' + violation.blockedURI))`)
  return problems
}

const reporterName = '__reportPolicyViolation'
