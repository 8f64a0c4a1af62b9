import { remember } from '@ostiary/react/internal'
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'
import { RequestFailed } from '../../api/request.ts'

/** Asks for a recent login. Resolves to whether the user confirmed. */
type Confirm = (url?: string) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(async (url) => {
  // Outside the account pages the service's own page asks.
  if (url) location.assign(url)
  return false
})

export function useConfirm(): Confirm {
  return useContext(ConfirmContext)
}

/**
 * Sends a request, asks for a recent login if needed, and sends it again. Undefined if the user declines.
 * Remembers `resume` while the browser is at a provider.
 */
export function useRetryAfterConfirm(resume?: string) {
  const confirm = useConfirm()
  return async <T,>(send: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 403) throw error
    }
    if (resume) remember(resume, 'asked', 'sessionStorage')
    const isConfirmed = await confirm()
    if (resume) remember(resume, null, 'sessionStorage')
    return isConfirmed ? await send() : undefined
  }
}

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

interface Question {
  readonly url: string | undefined
  answer(isConfirmed: boolean): void
}

/** Confirms in a dialog, so that nothing typed is lost. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  const pending = useRef<Promise<boolean>>(undefined)
  const confirm = useCallback<Confirm>((url) => {
    // Two cards may ask at once.
    pending.current ??= new Promise<boolean>((resolve) => {
      const asked = {
        url,
        answer(isConfirmed: boolean) {
          // A login may succeed after its dialog was closed, and another one opened.
          setQuestion((current) => (current === asked ? undefined : current))
          resolve(isConfirmed)
        },
      }
      setQuestion(asked)
    }).finally(() => {
      pending.current = undefined
    })
    return pending.current
  }, [])
  return (
    <ConfirmContext value={confirm}>
      {children}
      {question && (
        <Suspense>
          <ConfirmDialog url={question.url} onClose={question.answer} />
        </Suspense>
      )}
    </ConfirmContext>
  )
}
