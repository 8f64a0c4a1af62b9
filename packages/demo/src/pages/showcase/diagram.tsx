import { builtTexts as texts } from './claims-texts.ts'

/** From browser to database: left to right, or top to bottom on a phone. */
export function Diagram() {
  const { browser, server, pages, identity, database } = texts.parts
  return (
    <section aria-labelledby="built" className="grid gap-6">
      <h2 id="built" className="text-18">
        {texts.built}
      </h2>
      <figure>
        <figcaption className="sr-only">{texts.diagram}</figcaption>
        <div aria-hidden="true" className="grid items-center text-14 md:grid-cols-[1fr_auto_2fr_auto_1fr]">
          <Part words={browser} />
          <Wire />
          <div className="grid gap-3 rounded-card border border-accent bg-tint p-4 md:p-3 lg:p-4">
            <p className="text-accent">{server}</p>
            <div className="grid gap-3 sm:grid-cols-2">
              <Part words={pages} />
              <Part words={identity} />
            </div>
          </div>
          <Wire />
          <Part words={database} />
        </div>
      </figure>
    </section>
  )
}

function Part({ words: [name, text] }: { words: readonly [string, string] }) {
  return (
    <div className="rounded-field border border-line bg-surface px-4 py-3 md:px-3 lg:px-4">
      <p className="font-medium">{name}</p>
      <p className="text-muted">{text}</p>
    </div>
  )
}

function Wire() {
  return <span className="mx-auto block h-6 w-px bg-accent md:h-px md:w-5 lg:w-8" />
}
