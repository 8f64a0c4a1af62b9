import { useAuth } from '@ostiary/react'
import { useMutation } from '@tanstack/react-query'
import { readSettings } from '../../api/env.ts'
import { callApi, RequestFailed } from '../../api/request.ts'
import { leaveUntilDeletion } from '../../auth/deletion.ts'
import { useRetryAfterConfirm } from '../../forms/settings/confirm.tsx'
import { Confirmation } from '../../ui/disclosure.ts'
import { yourDataTexts } from './texts.ts'

const texts = yourDataTexts.deletion

export function DeleteAccount({ onCancel }: { onCancel(): void }) {
  const confirmed = useRetryAfterConfirm()
  const { logout } = useAuth()
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      const answer = await confirmed(() => callApi('POST', '/account/deletion'))
      if (!answer) return
      await logout()
      leaveUntilDeletion(answer.json.due_at)
    },
  })
  return (
    <Confirmation
      question={texts.ask}
      isFinal
      button={texts.button}
      isBusy={isPending}
      error={error instanceof RequestFailed ? error.message : error && texts.failed}
      onConfirm={mutate}
      onCancel={onCancel}
    >
      <ul className="grid list-outside list-disc ps-5 gap-1">
        {texts.consequences(readSettings().deletion_days).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Confirmation>
  )
}
