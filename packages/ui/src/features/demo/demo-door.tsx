import { readSettings } from '../../api/env.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { useHydrated } from '../../ui/browser.ts'
import { Icon } from '../../ui/icons.tsx'

const { demo: texts } = layoutTexts

/**
 * Leads to `/demo` while the demo is on, and is empty otherwise. Its height is reserved, so that nothing moves.
 *
 * @example <DemoDoor />
 */
export function DemoDoor() {
  const isOn = useHydrated() && readSettings().demo
  return (
    <div className="mt-4 min-h-22">
      {isOn && (
        <a
          href="/demo"
          className="flex items-center gap-4 rounded-card border border-amber bg-amber-tint px-4 py-3 hover:underline"
        >
          <span>
            <span className="block text-14 font-semibold text-amber">{texts.label}</span>
            {texts.invitation}
          </span>
          <Icon className="ms-auto size-5 text-amber">
            <path d="M4 10h12m-5-5 5 5-5 5" />
          </Icon>
        </a>
      )}
    </div>
  )
}
