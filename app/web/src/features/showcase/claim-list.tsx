import { claims, showcaseTexts as texts } from './texts.ts'

export function ClaimList() {
  return (
    <section aria-labelledby="claims" className="grid gap-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-t border-line pt-6">
        <h2 id="claims" className="text-18">
          {texts.claims}
        </h2>
        <p className="text-14 text-muted">
          {texts.provenBy} <code className="font-mono text-ink">npm run bench</code>
        </p>
      </div>
      <ul className="grid gap-8 sm:grid-cols-3">
        {claims.map(({ figure, text }) => (
          <li key={figure} className="grid content-start gap-1">
            <p className="text-28 font-semibold tracking-tight tabular-nums">{figure}</p>
            <p className="max-w-[34ch] text-14 text-balance text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
