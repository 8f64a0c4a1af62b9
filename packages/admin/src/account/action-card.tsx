import { Card, FormError } from '@ostiary/ui'
import { ActionButton, Confirmation, useFocusOn } from '@ostiary/ui/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { sentenceOf } from '../admin-screen.tsx'

interface ActionCardProps {
  title: string
  fact?: ReactNode
  /** The idle and the busy label. Undefined without an action. */
  button: readonly [string, string] | undefined
  question?: { readonly ask: string; readonly consequence: string }
  run(): Promise<unknown>
  done?: string
  onDone?(): void
  children?: ReactNode
}

export function ActionCard({ button, question, run, done, onDone, children, ...card }: ActionCardProps) {
  const cache = useQueryClient()
  const [isAsked, ask] = useState(false)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const close = () => {
    ask(false)
    focus()
  }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      if (onDone) return onDone()
      await cache.invalidateQueries({ queryKey: ['account'] })
      setStatus(done)
      if (question) close()
    },
  })
  const problem = error && sentenceOf(error)
  function start() {
    reset()
    setStatus(undefined)
    if (question) ask(true)
    else mutate()
  }
  return (
    <Card
      {...card}
      status={status}
      headingRef={ref}
      action={
        button &&
        !isAsked && <ActionButton look="neutral" small words={button} isBusy={isPending} onClick={start} />
      }
    >
      {button && question && isAsked ? (
        <Confirmation
          question={question.ask}
          button={button}
          isBusy={isPending}
          error={problem}
          onConfirm={() => mutate()}
          onCancel={close}
        >
          <p>{question.consequence}</p>
        </Confirmation>
      ) : (
        <FormError>{problem}</FormError>
      )}
      {children}
    </Card>
  )
}
