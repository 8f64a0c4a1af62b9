import { useQuery } from '@tanstack/react-query'
import { request } from '../api/request.ts'
import { z } from '../ui/form/schema.ts'

const mail = z.object({
  id: z.string(),
  recipient: z.string(),
  subject: z.string(),
  body: z.string(),
  template_type: z.string(),
  created_at: z.string(),
  code: z.optional(z.string()),
  use_url: z.optional(z.string()),
})

export type Mail = z.infer<typeof mail>

/** Milliseconds between two requests. */
const INTERVAL = 2000

export function useMails() {
  return useQuery({ queryKey: ['demo-mails'], queryFn: listMails, refetchInterval: INTERVAL, retry: false })
}

async function listMails(): Promise<readonly Mail[]> {
  const { json } = await request('/demo/api/mails')
  return z.parse(z.object({ mails: z.array(mail) }), json).mails
}
