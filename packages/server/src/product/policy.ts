/** Origins of other hosts that the pages may use, such as `https://cdn.example.com`. */
export type Policy = Partial<Record<PolicyPart, readonly string[]>>

export type PolicyPart = (typeof POLICY_PARTS)[number]

/** Each is a directive `…-src` of the content security policy. */
const POLICY_PARTS = ['script', 'style', 'img', 'font', 'frame', 'connect'] as const

export function* findPolicyProblems(policy: Policy = {}) {
  for (const [part, origins] of Object.entries(policy)) {
    if (!POLICY_PARTS.some((known) => known === part))
      yield `policy in app/server.ts has the unknown part ${part}. Use ${POLICY_PARTS.join(', ')}.`
    for (const origin of origins.filter((one) => !isAllowed(one, part)))
      yield `policy.${part} in app/server.ts has ${JSON.stringify(origin)}. Use an origin such as https://cdn.example.com or https://*.example.com.`
  }
}

/** An `*` covers the hosts below a domain, but not those of a whole country. */
const HTTPS = /^https:\/\/(?:\*\.(?=[^.:]+\.))?[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/
const WEB_SOCKET = /^wss:/

function isAllowed(origin: string, part: string): boolean {
  const withHttps = part === 'connect' ? origin.replace(WEB_SOCKET, 'https:') : origin
  // A browser would ignore another spelling of the port.
  return HTTPS.test(withHttps) && URL.canParse(withHttps) && new URL(withHttps).origin === withHttps
}
