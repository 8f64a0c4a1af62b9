import { OpeningCard } from '../../forms/settings/opening-card.tsx'
import { Card, CardButton } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { yourDataTexts } from './texts.ts'
import { useExport } from './use-export.ts'

const DeleteAccount = lazyPart(async () => (await import('./delete-account.tsx')).DeleteAccount)
const { download: texts, deletion } = yourDataTexts

export function Screen() {
  const { download, isBusy, error, status } = useExport()
  return (
    <>
      <Card
        title={texts.title}
        status={status}
        fact={texts.text}
        action={
          <CardButton busy={isBusy ? texts.button[1] : undefined} onClick={() => void download()}>
            {texts.button[0]}
          </CardButton>
        }
      >
        <FormError>{error}</FormError>
      </Card>
      <OpeningCard
        title={deletion.title}
        danger
        fact={deletion.text}
        button={deletion.open}
        opened={(close) => <DeleteAccount onCancel={() => close()} />}
      />
    </>
  )
}
