import { Card, FormError } from '@ostiary/ui'
import { ActionButton, Confirmation, useDisclosure } from '@ostiary/ui/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sentenceOf } from '../admin-screen.tsx'

interface ActionCardProps {
  title: string
  fact?: ReactNode
  /** The idle and the busy label. Undefined without an action. */
  button: readonly [string, string] | undefined
  question?: { readonly ask: string; readonly consequence: string; readonly isFinal?: true }
  run(): Promise<unknown>
  done?: string
  onDone?(): void
  children?: ReactNode
}

export function ActionCard({ button, question, run, done, onDone, children, ...card }: ActionCardProps) {
  const cache = useQueryClient()
  const { asked, ask, close, status, say, heading } = useDisclosure<'asked'>()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      if (onDone) return onDone()
      await cache.invalidateQueries({ queryKey: ['account'] })
      if (question) close(done)
      else say(done)
    },
  })
  const problem = error && sentenceOf(error)
  function start() {
    reset()
    say(undefined)
    if (question) ask('asked')
    else mutate()
  }
  return (
    <Card
      {...card}
      status={status}
      headingRef={heading.ref}
      action={
        button &&
        !asked && <ActionButton look="neutral" small words={button} isBusy={isPending} onClick={start} />
      }
    >
      {button && question && asked ? (
        <Confirmation
          question={question.ask}
          isFinal={question.isFinal}
          button={button}
          isBusy={isPending}
          error={problem}
          onConfirm={() => mutate()}
          onCancel={() => close()}
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
