import { claims, builtTexts as texts } from './claims-texts.ts'

export function Claims() {
  return (
    <section aria-labelledby="reasons" className="grid gap-6 border-t border-line pt-8">
      <h2 id="reasons" className="text-18">
        {texts.reasons}
      </h2>
      <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-2 md:grid-cols-3">
        {claims.map(({ name, text, proof }) => (
          <li key={name} className="grid content-start gap-1">
            <p className="font-semibold">{name}</p>
            <p className="text-14 text-muted">{text}</p>
            <p className="text-14 text-muted">
              <span>{texts.provenBy}</span> <code className="font-mono text-ink">{proof}</code>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
