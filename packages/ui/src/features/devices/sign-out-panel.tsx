import { identityClient, useService } from '@ostiary/react/internal'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ConfirmationPanelProps } from '../../ui/confirmation-panel.tsx'
import { Confirmation } from '../../ui/disclosure.ts'
import { devicesTexts } from './texts.ts'

export const queryKey = ['account', 'devices']

export const EVERYWHERE_ELSE = ''

interface SignOutPanelProps
  extends Pick<ConfirmationPanelProps, 'question' | 'button' | 'children' | 'onCancel'> {
  id: string
  onEnded(): void
}

export function SignOutPanel({ id, children, onEnded, ...panel }: SignOutPanelProps) {
  const client = identityClient(useService())
  const cache = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    async mutationFn() {
      if (id === EVERYWHERE_ELSE) await client.disableMyOtherSessions()
      else await client.disableMySession({ id })
      await cache.invalidateQueries({ queryKey })
    },
    onSuccess: onEnded,
  })
  return (
    <Confirmation
      {...panel}
      isBusy={isPending}
      error={isError ? devicesTexts.failed : undefined}
      onConfirm={mutate}
    >
      <p>{children}</p>
    </Confirmation>
  )
}
