import { openedTexts } from '../../texts/security-opened.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import type { BackupCodesUse } from './backup-codes-card.tsx'
import { CodeSheet } from './code-sheet.tsx'

interface FreshCodesProps {
  codes: readonly string[]
  change: BackupCodesUse
}

const texts = openedTexts.backupCodes

/** New codes take effect once the user confirms that they are saved. */
export function FreshCodes({ codes, change }: FreshCodesProps) {
  return (
    <Card title={texts.title} headingRef={change.ref} state={<Badge tone="amber">{texts.notSaved}</Badge>}>
      <CodeSheet codes={codes} />
      <FormError>{change.error}</FormError>
      <div className="justify-self-start">
        <Button busy={change.busy ? texts.save[1] : undefined} onClick={() => void change.run('confirm')}>
          {texts.save[0]}
        </Button>
      </div>
    </Card>
  )
}
