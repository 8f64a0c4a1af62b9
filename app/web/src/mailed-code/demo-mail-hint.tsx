import { readSettings } from '../env.ts'
import { demoMailTexts as texts } from '../texts/mailed-code.ts'
import { MailIcon } from '../ui/icons.tsx'

/** Only where emails go to the demo's inbox. */
export function DemoMailHint() {
  if (!readSettings().demo) return null
  return (
    <p className="flex items-start gap-2 rounded-field bg-amber-tint px-3 py-2.5 text-14 text-amber forced-colors:border">
      <MailIcon />
      <span>
        {texts.before}{' '}
        <a
          href="/demo/inbox"
          target="_blank"
          rel="noopener"
          className="font-medium underline underline-offset-3"
        >
          {texts.inbox}
        </a>
      </span>
    </p>
  )
}
