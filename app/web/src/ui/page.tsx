import { type ReactNode, useEffect } from 'react'

/** The text column of a page. */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return (
    <div className={`page-width py-12 sm:py-16 ${wide ? '' : 'grid justify-items-start gap-4'}`}>
      {children}
    </div>
  )
}

/** The heading of a screen; it gets the focus when the screen changes. */
export function PageHeading({ children, small = false }: { children: ReactNode; small?: boolean }) {
  return (
    <h1 tabIndex={-1} className={small ? 'text-28' : 'text-28 sm:text-36'}>
      {children}
    </h1>
  )
}

/** A single column for one task: on the page itself on a phone, in a bordered card from 640 px. */
export function FormPage({ children }: { children: ReactNode }) {
  return (
    <div className="page-width py-8 sm:py-16">
      <div className="mx-auto w-full max-w-100 sm:max-w-116 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
        {children}
      </div>
    </div>
  )
}

/** Sets the title of the tab, and marks it if the form has an error. */
export function usePageTitle(title: string | undefined, hasError = false): void {
  useEffect(() => {
    const name = title === undefined ? 'My App' : `${title} · My App`
    document.title = hasError ? `Error: ${name}` : name
  }, [title, hasError])
}
