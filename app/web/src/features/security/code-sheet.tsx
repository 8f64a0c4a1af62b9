import { openedTexts } from '../../texts/security-opened.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { saveFile } from '../../ui/save-file.ts'

const texts = openedTexts.backupCodes

/** The codes, to copy, download or print. */
export function CodeSheet({ codes }: { codes: readonly string[] }) {
  return (
    <div className="grid gap-4">
      <p className="text-14 text-muted">{texts.keep}</p>
      <div className="print-sheet">
        <p className="hidden print:block">{texts.sheet(location.host)}</p>
        <ul className="grid grid-cols-2 gap-x-3 gap-y-2 rounded-field bg-raised p-4 font-mono text-14 sm:gap-x-6 sm:text-16 sm:grid-cols-3 forced-colors:border">
          {codes.map((code) => (
            <li key={code} className="text-center tracking-wide">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton text={codes.join('\n')}>{texts.copy}</CopyButton>
        <Button look="neutral" small onClick={() => download(codes)}>
          {texts.download}
        </Button>
        <Button look="neutral" small onClick={() => print()}>
          {texts.print}
        </Button>
      </div>
    </div>
  )
}

function download(codes: readonly string[]): void {
  const text = `${texts.sheet(location.host)}\n${texts.eachOnce}\n\n${codes.join('\n')}\n`
  saveFile('backup-codes.txt', text, 'text/plain')
}
