import type { RecordedCall } from '../../server/wire.ts'
import { subjectOf } from './calls.ts'

/** Explains the call and the next step of a client in one or two sentences. */
export function explain(call: RecordedCall): string {
  const subject = subjectOf(call)
  if (call.status === 429) return 'Too many attempts. The client waits as long as Retry-After says.'
  if (call.status >= 500) return 'The service could not answer. The client offers to try again.'
  if (subject === 'session') return explainSession(call)
  if (subject === 'logout') return explainLogout(call)
  if (subject === 'provider') return explainProvider(call)
  if (subject === 'service') return `The answer is ${call.status} ${call.status_text}.`
  return [explainFlow(call, subject), ...continuations(call)].join(' ')
}

function explainSession({ status, path }: RecordedCall): string {
  if (status === 401) return 'No user is logged in: this browser sent no live session cookie.'
  if (status === 403)
    return 'The account has a second factor. The client opens the login form with `?aal=aal2` to ask for it.'
  if (status !== 200) return 'The session could not be read.'
  const token = /tokenize_as/.test(path) ? ' `tokenized` is the same as a JWT, for other backends.' : ''
  return `The session cookie is valid. The answer is the session and its user.${token}`
}

function explainLogout({ path, status }: RecordedCall): string {
  if (status >= 400) return 'No session to end.'
  if (/logout\/browser/.test(path))
    return 'Asks for a logout link. Its token proves that this page, and no other site, ends the session.'
  return 'Ends the session on the server and deletes its cookie.'
}

function explainProvider({ path, location }: RecordedCall): string {
  if (/\/callback\//.test(path))
    return 'The provider sent the browser back with a code. The service exchanges it for the user’s verified claims.'
  if (/\/demo\/consent/.test(location ?? '')) return 'The provider asks its user for consent.'
  if (/\/callback\//.test(location ?? '')) return 'The provider sends the browser back to the service.'
  return 'A page of the provider. Its address carries the state and the PKCE challenge of the flow.'
}

function explainFlow(call: RecordedCall, kind: string): string {
  const { method, path, status, location } = call
  const name = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} flow`
  if (status === 410) return 'The flow has expired. The answer names a new one.'
  if (status === 403) return explainForbidden(call)
  if (status === 404) return 'No such flow, or the method is turned off.'
  if (/\/(browser|api)(\?|$)/.test(path)) {
    if (status === 200)
      return `Opens ${name}. The answer is the form as nodes; the page renders it.${explainOpening(path)}`
    if (location) return `Opens ${name} and redirects the browser to its page.${explainOpening(path)}`
    return `Opens no flow${messageOf(call)}.`
  }
  if (/\/flows\?/.test(path)) return `Reads the ${kind} flow again, with its current form.`
  if (method === 'GET') return `An emailed link continues the ${kind} flow.`
  return explainSubmission(call, kind)
}

function explainOpening(path: string): string {
  if (/aal=aal2/.test(path)) return ' `aal=aal2` asks for the second factor.'
  return /refresh=true/.test(path) ? ' `refresh=true` asks the user to prove again who they are.' : ''
}

function explainForbidden({ response = '' }: RecordedCall): string {
  if (/session_refresh_required/.test(response))
    return 'The change needs a recent login. The client opens the login form with `?refresh=true`; the change then completes by itself.'
  if (/session_aal2_required/.test(response))
    return 'The form asks for a second factor; the client continues with `?aal=aal2`.'
  return 'Refused: the CSRF token does not match this browser, or the page is of another origin.'
}

function explainSubmission(call: RecordedCall, kind: string): string {
  const { status, form } = call
  if (status === 422) return 'The client sends the browser to the address in `redirect_browser_to`.'
  if (status === 303) return 'The service redirects the browser to the next page.'
  if (status >= 400) return `The form stays open${messageOf(call)}. The same flow can be submitted again.`
  switch (kind) {
    case 'login':
      return form ? `The flow goes on${messageOf(call)}.` : 'Logged in. The response sets the session cookie.'
    case 'registration':
      return 'The account exists now.'
    case 'settings':
      return 'The change is saved.'
    default:
      return form?.state === 'passed_challenge'
        ? 'The code was right.'
        : `The flow goes on${messageOf(call)}.`
  }
}

function messageOf({ form, response = '' }: RecordedCall): string {
  const all = [...(form?.messages ?? []), ...(form?.nodes ?? []).flatMap(({ messages }) => messages)]
  const [message] = all
  if (message) return `, with message ${message.id}: “${message.text.replace(/\.$/, '')}”`
  const error = /"id": "(\w+)"/.exec(/"error"/.test(response) ? response : '')?.[1]
  return error ? `: ${error}` : ''
}

const nextSteps: Readonly<Record<string, string>> = {
  show_verification_ui: 'Next, the client shows the verification flow.',
  show_settings_ui: 'Next, the client shows the settings flow for a new password.',
  redirect_browser_to: 'Then it goes to the page that the user wanted.',
}

function continuations({ response = '' }: RecordedCall): string[] {
  return Object.entries(nextSteps)
    .filter(([action]) => response.includes(`"action": "${action}"`))
    .map(([, sentence]) => sentence)
}
