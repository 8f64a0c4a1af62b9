import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { useAuth } from '@ostiary/react'
import { traitsOf } from '@ostiary/react/internal'
import { product } from '../../product.ts'
import { ActionButton, Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { ConfirmationPanel, type ConfirmationPanelProps } from '../../ui/confirmation-panel.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { formatDay } from '../../ui/locale.ts'
import { saveFile } from '../../ui/save-file.ts'
import type { BackupCodesUse } from './backup-codes-card.tsx'
import { openedTexts } from './texts-opened.ts'

interface FreshCodesProps {
  codes: readonly string[]
  change: BackupCodesUse
}

const texts = openedTexts.backupCodes

/** New codes take effect once the user keeps them in any way, or says so. */
export function FreshCodes({ codes, change }: FreshCodesProps) {
  const { kept, keep, run, hide, pending, error, heading } = change
  return (
    <Card
      title={texts.title}
      headingRef={heading.ref}
      state={<Badge tone={kept ? 'done' : 'attention'}>{kept ? texts.saved : texts.notSaved}</Badge>}
      fact={texts.keep}
    >
      <CodeSheet codes={codes} onKept={() => void keep(codes)} />
      <FormError>{error}</FormError>
      <div className="justify-self-start">
        {kept ? (
          <Button onClick={hide}>{texts.done}</Button>
        ) : (
          <ActionButton
            words={texts.save}
            isBusy={pending !== undefined}
            onClick={() => void run('confirm')}
          />
        )}
      </div>
    </Card>
  )
}

interface CodeSheetProps {
  codes: readonly string[]
  /** The user copied, downloaded or printed them. */
  onKept(): void
}

function CodeSheet({ codes, onKept }: CodeSheetProps) {
  const { email = '' } = traitsOf(useAuth().session?.identity)
  const keepBy = (act: () => void) => {
    act()
    onKept()
  }
  const [title, ...facts] = texts.sheet(
    readableAddresses(email),
    `${product().name} (${location.host})`,
    formatDay(new Date()),
  )
  const text = `${[title, ...facts, texts.eachOnce, '', ...codes].join('\n')}\n`
  return (
    <div className="grid gap-4">
      <div className="print-sheet">
        <div className="mb-6 hidden print:block">
          <p className="text-22 font-semibold">{title}</p>
          {[...facts, texts.eachOnce].map((fact) => (
            <p key={fact}>{fact}</p>
          ))}
        </div>
        <ul
          translate="no"
          className="grid grid-cols-2 gap-x-3 gap-y-2 rounded-field bg-raised p-4 font-mono text-14 sm:gap-x-6 sm:text-16 sm:grid-cols-3 forced-colors:border print:block"
        >
          {codes.map((code) => (
            <li key={code} className="text-center tracking-wide print:text-start print:nth-[5n]:mb-6">
              {/* Groups of five. A copied code has no space. */}
              {code.match(/.{1,5}/g)?.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change
                <span key={index} className="not-first:ms-[0.6ch]">
                  {part}
                </span>
              ))}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton text={text} onCopied={onKept}>
          {texts.copy}
        </CopyButton>
        <Button
          look="neutral"
          small
          onClick={() => keepBy(() => saveFile('backup-codes.txt', text, 'text/plain'))}
        >
          {texts.download}
        </Button>
        <Button look="neutral" small onClick={() => keepBy(() => print())}>
          {texts.print}
        </Button>
      </div>
    </div>
  )
}

interface RiskyChangeProps
  extends Pick<ConfirmationPanelProps, 'isBusy' | 'error' | 'onConfirm' | 'onCancel'> {
  change: keyof typeof openedTexts.risks
}

export function RiskyChange({ change, ...on }: RiskyChangeProps) {
  const { consequence, ...texts } = openedTexts.risks[change]
  return (
    <ConfirmationPanel {...texts} {...on}>
      <p>{consequence}</p>
    </ConfirmationPanel>
  )
}
