import { CsrfTokenMissing } from '@ostiary/react/internal'
import { catalogue } from './catalogue.ts'
export const failureTexts = catalogue('failure', {
  unreachable: 'We can’t reach the login service right now.',
  unreachableKept: 'We can’t reach the login service right now. Your entries stay here.',
  offline: 'You’re offline. Your entries stay here until you’re back.',
  renewed: 'That page had expired or was opened in another browser. Here is a new one.',
  csrfTokenMissing: new CsrfTokenMissing().message,
})
