import { useAuth } from '@ostiary/react'
import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { callApi, RequestFailed } from '../../api/request.ts'
import { leaveUntilDeletion } from '../../auth/deletion.ts'
import { ActionButton, Button } from '../../ui/button.tsx'
import { useFocusOn } from '../../ui/disclosure.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { formatDay } from '../../ui/locale.ts'
import { Notice } from '../../ui/page.tsx'
import { scheduledDeletionTexts as texts } from './texts.ts'

interface KeepAccountProps {
  due: string | null
  onAnswer(): void
}

/** Asks whether to keep the account. Logging in alone does not cancel the deletion. */
export function KeepAccount({ due, onAnswer }: KeepAccountProps) {
  const id = useId()
  const { logout } = useAuth()
  const { ref, focus } = useFocusOn<HTMLDivElement>()
  const keeping = useMutation({
    mutationFn: () => callApi('DELETE', '/account/deletion'),
    onSuccess() {
      onAnswer()
      focus()
    },
  })
  const leaving = useMutation({
    async mutationFn(due: string) {
      await logout()
      leaveUntilDeletion(due)
    },
    onMutate: keeping.reset,
  })
  const { isSuccess: isKept, error } = keeping
  const failure = error instanceof RequestFailed ? error.message : (error ?? leaving.error) && texts.failed
  return (
    <div ref={ref} tabIndex={-1} className={due || isKept ? 'mb-4 focus:outline-none' : 'sr-only'}>
      <Notice tone="done">{isKept ? texts.kept : undefined}</Notice>
      {due && (
        <section
          aria-labelledby={id}
          className="grid gap-4 rounded-card border border-line border-s-4 border-s-danger bg-surface p-4 sm:px-6"
        >
          <div className="grid gap-1">
            <h2 id={id} className="text-16">
              {texts.title}
            </h2>
            <p className="text-14">{texts.due(formatDay(due))}</p>
          </div>
          <FormError>{failure}</FormError>
          <div className="flex flex-wrap gap-3">
            <ActionButton
              small
              words={texts.keep}
              isBusy={keeping.isPending}
              onClick={() => keeping.mutate()}
            />
            <Button look="neutral" small onClick={() => leaving.mutate(due)}>
              {texts.deleteAnyway}
            </Button>
            <Button look="quiet" small onClick={onAnswer}>
              {texts.later}
            </Button>
          </div>
        </section>
      )}
    </div>
  )
}
