import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'

/** Asks users to confirm who they are; resolves to whether they did. */
type Confirm = (url?: string) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(async (url) => {
  // Outside of the account area there is no dialog: the service's own page asks.
  if (url) location.assign(url)
  return false
})

export function useConfirm(): Confirm {
  return useContext(ConfirmContext)
}

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

interface Question {
  /** The service's own page for it. */
  readonly url: string | undefined
  answer(isConfirmed: boolean): void
}

/** Lets every component below ask in a dialog, so that nothing typed is lost while the user confirms. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  const confirm = useCallback<Confirm>(
    (url) =>
      new Promise((resolve) => {
        setQuestion({
          url,
          answer(isConfirmed) {
            setQuestion(undefined)
            resolve(isConfirmed)
          },
        })
      }),
    [],
  )
  return (
    <ConfirmContext value={confirm}>
      {children}
      {question && (
        <Suspense>
          <ConfirmDialog url={question.url} onAnswer={question.answer} />
        </Suspense>
      )}
    </ConfirmContext>
  )
}
