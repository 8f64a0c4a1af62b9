import { layoutTexts } from '../texts/layout.ts'

/** First in the tab order: skips the navigation. */
export function SkipLink() {
  return (
    <a href="#main" className={look}>
      {layoutTexts.skip}
    </a>
  )
}

const look =
  'absolute start-4 top-2 z-20 -translate-y-24 rounded-field bg-accent px-4 py-2 text-on-accent focus:translate-y-0'
