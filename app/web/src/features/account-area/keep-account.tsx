import { useId, useState } from 'react'
import { callApi, RequestFailed } from '../../api/request.ts'
import { leaveUntilDeletion } from '../../auth/session.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { Button } from '../../ui/button.tsx'
import { useFocusOn } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Notice } from '../../ui/page.tsx'
import { scheduledDeletionTexts as texts } from './texts.ts'

interface KeepAccountProps {
  due: string | null
  onAnswer(): void
}

/** Asks whether to keep the account. Logging in alone does not cancel the deletion. */
export function KeepAccount({ due, onAnswer }: KeepAccountProps) {
  const id = useId()
  const { isKept, isBusy, error, ref, keep, leave } = useAnswer(onAnswer)
  return (
    <div ref={ref} tabIndex={-1} className={due || isKept ? 'mb-4 focus:outline-none' : 'sr-only'}>
      <Notice tone="done">{isKept ? texts.kept : undefined}</Notice>
      {due && (
        <section
          aria-labelledby={id}
          className="grid gap-4 rounded-card border border-amber bg-amber-tint p-4 sm:px-6"
        >
          <div className="grid gap-1">
            <h2 id={id} className="text-16 text-amber">
              {texts.title}
            </h2>
            <p className="text-14">{texts.due(days.format(new Date(due)))}</p>
          </div>
          <FormError>{error}</FormError>
          <div className="flex flex-wrap gap-3">
            <Button small busy={isBusy ? texts.keep[1] : undefined} onClick={() => void keep()}>
              {texts.keep[0]}
            </Button>
            <Button look="neutral" small onClick={() => void leave(due)}>
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

// Undefined selects the browser's language.
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

function useAnswer(onAnswer: () => void) {
  const { logout } = useAuth()
  const [isBusy, setBusy] = useState(false)
  const [isKept, setKept] = useState(false)
  const [error, setError] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLDivElement>()

  async function keep() {
    setBusy(true)
    setError(undefined)
    try {
      await callApi('DELETE', '/account/deletion')
      setKept(true)
      onAnswer()
      focus()
    } catch (thrown) {
      setError(thrown instanceof RequestFailed ? thrown.message : texts.failed)
    } finally {
      setBusy(false)
    }
  }

  async function leave(due: string) {
    try {
      await logout()
      leaveUntilDeletion(due)
    } catch {
      setError(texts.failed)
    }
  }

  return { isKept, isBusy, error, ref, keep, leave }
}
