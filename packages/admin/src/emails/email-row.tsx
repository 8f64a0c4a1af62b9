import { Address, Badge, FormError, Time, z } from '@ostiary/ui'
import { ActionButton, Dotted } from '@ostiary/ui/internal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Loaded, sentenceOf } from '../admin-screen.tsx'
import { call } from '../call.ts'
import { attempts, type Email } from '../records.ts'
import { emailsTexts as texts } from '../texts.ts'

export function EmailRow({ email, isOfOne }: { email: Email; isOfOne?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center rounded-[inherit] gap-4 max-[17rem]:flex-wrap px-4 py-3 text-start -outline-offset-2 transition-colors hover:bg-tint sm:px-6"
      >
        <span className="min-w-0 flex-1 max-[17rem]:basis-full">
          <span className="block font-medium">
            {isOfOne ? nameOf(email) : <Address oneLine>{email.recipient}</Address>}
          </span>
          <span className="block text-14 text-muted">
            <Dotted
              parts={[!isOfOne && nameOf(email), <Time key="time" inControl of={email.created_at} />]}
            />
          </span>
        </span>
        <Badge tone={tones[email.status]}>{texts.statuses[email.status]}</Badge>
      </button>
      <div id={id} hidden={!isOpen} className="px-4 pb-4 sm:px-6">
        {isOpen && <EmailAttempts email={email} />}
      </div>
    </li>
  )
}

const tones = { queued: 'plain', processing: 'plain', sent: 'done', abandoned: 'attention' } as const

const kinds: Readonly<Record<string, string>> = texts.kinds

/** Templates of a product have other names. A notice says in its subject what it is about. */
function nameOf({ template_type, own_template_type = template_type, subject }: Email): string {
  if (own_template_type === 'security_notice') return subject
  const words = own_template_type.replaceAll('_', ' ')
  return kinds[own_template_type] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function EmailAttempts({ email: { id, status } }: { email: Email }) {
  const query = useQuery({
    queryKey: ['emails', 'attempts', id],
    queryFn: async () => z.parse(attempts, (await call('GET', `/courier/messages/${id}`)).json).dispatches,
  })
  return (
    <div className="grid gap-4 rounded-field bg-raised p-4 text-14 forced-colors:border">
      <Loaded query={query} heights={['h-6']}>
        {(all) => (
          <ol className="grid gap-2">
            {all.length === 0 && <li className="text-muted">{texts.noAttempts}</li>}
            {all.map((attempt) => (
              <li key={attempt.id} className="grid gap-x-4 sm:grid-cols-[10rem_minmax(0,1fr)]">
                <span className="text-muted">
                  <Time of={attempt.created_at} />
                </span>
                <span>{attempt.status === 'success' ? texts.accepted : (attempt.error ?? texts.failed)}</span>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      {status === 'abandoned' && <SendAgain id={id} />}
    </div>
  )
}

function SendAgain({ id }: { id: string }) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call('POST', `/courier/messages/${id}/retry`),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['emails'] }),
  })
  return (
    <div className="grid justify-items-start gap-3">
      <FormError>{error && sentenceOf(error)}</FormError>
      <ActionButton look="neutral" small words={texts.retry} isBusy={isPending} onClick={() => mutate()} />
    </div>
  )
}
