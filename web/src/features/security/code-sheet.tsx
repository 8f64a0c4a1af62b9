import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { saveFile } from '../../ui/save-file.ts'

/** The codes, and the ways to keep them. */
export function CodeSheet({ codes }: { codes: readonly string[] }) {
  return (
    <div className="grid gap-4">
      <p className="text-14 text-muted">
        Keep these where you find them without your phone. Each one works once. They are shown only now.
      </p>
      <div className="print-sheet">
        <p className="hidden print:block">Backup codes for {location.host}</p>
        <ul className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-field bg-raised p-4 font-mono sm:grid-cols-3 forced-colors:border">
          {codes.map((code) => (
            <li key={code} className="text-center tracking-wide">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton text={codes.join('\n')}>Copy</CopyButton>
        <Button look="neutral" small onClick={() => download(codes)}>
          Download
        </Button>
        <Button look="neutral" small onClick={() => print()}>
          Print
        </Button>
      </div>
    </div>
  )
}

function download(codes: readonly string[]): void {
  const text = `Backup codes for ${location.host}\nEach one works once.\n\n${codes.join('\n')}\n`
  saveFile('backup-codes.txt', text, 'text/plain')
}
