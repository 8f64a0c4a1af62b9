import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from '../../schema.ts'
import { emailsTexts as texts } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Time } from '../../ui/time.tsx'
import { call } from '../call.ts'
import { Loaded, sentenceOf } from '../loaded.tsx'
import { attempts, type Email } from '../records.ts'

/** The attempts to send an email, and a button to retry an abandoned one. */
export function EmailAttempts({ email: { id, status } }: { email: Email }) {
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
                <span className="wrap-anywhere">
                  {attempt.status === 'success' ? texts.accepted : (attempt.error ?? texts.failed)}
                </span>
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
      <FormError>{error ? sentenceOf(error) : undefined}</FormError>
      <Button look="neutral" small busy={isPending ? texts.retry[1] : undefined} onClick={() => mutate()}>
        {texts.retry[0]}
      </Button>
    </div>
  )
}
