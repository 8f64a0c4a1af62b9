import { OpeningCard } from '../../forms/settings/opening-card.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
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
        action={
          <Button
            look="neutral"
            small
            busy={isBusy ? texts.button[1] : undefined}
            onClick={() => void download()}
          >
            {texts.button[0]}
          </Button>
        }
      >
        <p className="text-14 text-muted">{texts.text}</p>
        <FormError>{error}</FormError>
      </Card>
      <OpeningCard
        title={deletion.title}
        danger
        button={deletion.open}
        opened={(close) => <DeleteAccount onCancel={() => close()} />}
      >
        <p className="text-14 text-muted">{deletion.text}</p>
      </OpeningCard>
    </>
  )
}
