import { request } from '@ostiary/ui/internal'
import { useQuery } from '@tanstack/react-query'
import type { InboxMail } from '../../server/inbox.ts'
import { DEMO } from './follow-changes.ts'

export type Mail = InboxMail

/** The emails of the demo, newest first, or a sample of each that it may send. */
export function useMails(name: 'mails' | 'emails') {
  return useQuery({
    queryKey: [DEMO, name],
    queryFn: async () => ((await request(`/demo/api/${name}`)).json as { mails: readonly Mail[] }).mails,
    retry: false,
  })
}
