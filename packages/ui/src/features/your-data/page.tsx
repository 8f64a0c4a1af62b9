import { recall, remember } from '@ostiary/react/internal'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readSettings } from '../../api/env.ts'
import { callApi, RequestFailed } from '../../api/request.ts'
import { useCachedDeletionDate } from '../../auth/deletion.ts'
import { useRetryAfterConfirm } from '../../forms/settings/confirm.tsx'
import { ExpandableCard } from '../../forms/settings/expandable-card.tsx'
import { product } from '../../product.ts'
import { ActionButton } from '../../ui/button.tsx'
import { Card, CardButton, type Outline } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { yourDataTexts } from './texts.ts'

const DeleteAccount = lazyPart(
  async () => (await import('./delete-account.tsx')).DeleteAccount,
  'h-60 sm:h-45',
)
const { download: texts, deletion } = yourDataTexts

export const outline = (): Outline => ({
  entries: [
    { title: texts.title, fact: texts.text, action: <CardButton>{texts.button[0]}</CardButton> },
    { title: deletion.title, fact: deletion.text(14), action: <CardButton>{deletion.open}</CardButton> },
  ],
})

export function Screen() {
  return (
    <>
      <DownloadCard />
      {!useCachedDeletionDate() && (
        <ExpandableCard
          title={deletion.title}
          fact={deletion.text(readSettings().deletion_days)}
          button={deletion.open}
          opened={(close) => <DeleteAccount onCancel={() => close()} />}
        />
      )}
    </>
  )
}

/** The user requested the download and is reauthenticating at a provider. */
const ASKED = 'export-asked'

function DownloadCard() {
  const confirmed = useRetryAfterConfirm(ASKED)
  const { mutate, isPending, data, error } = useMutation({
    async mutationFn() {
      const answer = await confirmed(() => callApi('GET', '/account/export'))
      if (answer)
        saveFile(product().exportFile, JSON.stringify(answer.json, undefined, 2), 'application/json')
      return answer && texts.done
    },
  })
  useEffect(() => {
    if (!recall(ASKED, 'sessionStorage')) return
    remember(ASKED, null, 'sessionStorage')
    // In development, StrictMode mounts twice, and the first unmount would detach the mutation.
    queueMicrotask(mutate)
  }, [mutate])
  return (
    <Card
      title={texts.title}
      status={data}
      fact={texts.text}
      action={
        <ActionButton look="neutral" small words={texts.button} isBusy={isPending} onClick={() => mutate()} />
      }
    >
      <FormError>{error instanceof RequestFailed ? error.message : error && texts.failed}</FormError>
    </Card>
  )
}
