import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { type PathParam, useLocation, useMatch } from 'react-router'
import { product } from '../product.ts'
import { layoutTexts } from '../texts/layout.ts'
import { focusAfterReturn, listen } from './browser.ts'
import { slot } from './slot.tsx'

/**
 * The content of a page, between header and footer: one column that is easy to read, unless it is `wide`.
 *
 * @example <Page><PageHeading>Reports</PageHeading></Page>
 */
export function Page({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return (
    <div
      className={`page-width py-12 sm:py-16 ${wide ? '' : 'grid grid-cols-[minmax(0,40rem)] justify-items-start gap-4 [&>:not(a,button)]:w-full'}`}
    >
      {children}
    </div>
  )
}

/**
 * The `<h1>` of a page, which takes the focus after a navigation.
 *
 * @example <PageHeading>Reports</PageHeading>
 */
export function PageHeading({ children, small = false }: { children: ReactNode; small?: boolean }) {
  return (
    <h1 ref={focusAfterReturn} tabIndex={-1} className={small ? 'text-28' : 'text-28 sm:text-36'}>
      {children}
    </h1>
  )
}

interface PageIntroProps {
  title: string
  lead: ReactNode
  gap?: 'gap-1' | 'gap-2'
}

/** The heading, and a sentence below. The heading keeps the focus when only the sentence changes. */
export function PageIntro({ title, lead, gap = 'gap-2' }: PageIntroProps) {
  return (
    <div className={`grid ${gap}`}>
      <PageHeading small>{title}</PageHeading>
      {lead && <p className="text-muted">{lead}</p>}
    </div>
  )
}

/**
 * A single column: plain on a phone, in a card from 640 px. The forms of this package have one already.
 *
 * @example <FormPage><PageHeading small>Invite a friend</PageHeading></FormPage>
 */
export const FormPage = slot('FormPage', UsualFormPage)

function UsualFormPage({ children }: { children: ReactNode }) {
  return (
    <div className="page-width py-8 sm:py-10">
      <div className="mx-auto w-full max-w-100 sm:max-w-116 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-8">
        {children}
      </div>
    </div>
  )
}

export const RenderedTitle = createContext<((title: string) => void) | undefined>(undefined)

/** The part of the product that a page belongs to, such as the admin page. */
export const TitleSection = createContext<string | undefined>(undefined)

/** Errors on the page; the document has one title. */
const shownTitle = { text: '', errors: 0 }

/**
 * Sets the title of the document: the page before the name of the product, or the name alone. While the page shows
 * an error, the title starts with the word.
 *
 * @example usePageTitle('Reports')
 */
export function usePageTitle(page: string | undefined): void {
  const title = titleOf(page, useContext(TitleSection))
  useContext(RenderedTitle)?.(title)
  useEffect(() => {
    shownTitle.text = title
    writeTitle()
  }, [title])
}

/** For each error that the page shows. */
export function useErrorInTitle(isShown: boolean): void {
  useEffect(() => {
    if (!isShown) return
    shownTitle.errors += 1
    writeTitle()
    return () => {
      shownTitle.errors -= 1
      writeTitle()
    }
  }, [isShown])
}

function writeTitle(): void {
  const { text, errors } = shownTitle
  document.title = errors > 0 ? layoutTexts.errorTitle(text) : text
}

export function titleOf(page: string | undefined, section?: string): string {
  return [page, section, product().name].filter(Boolean).join(' · ')
}

/**
 * The parameters of a screen: `{ id }` at `/links/:id`. Throws if it is not shown at that path.
 *
 * @example const { id } = usePathParameters('/reports/:id')
 */
export function usePathParameters<Path extends string>(
  path: Path,
): Readonly<Record<PathParam<Path>, string>> {
  const match = useMatch(path)
  if (!match) throw new Error(`The screen is not shown at ${path}`)
  return match.params as Record<PathParam<Path>, string>
}

/**
 * A sentence about the page. Rendered empty first, so that screen readers announce it. A `done` one disappears with
 * the next press of a button, whose own may follow.
 *
 * @example <Notice tone="done">Saved.</Notice>
 */
export function Notice({ tone, children }: { tone?: 'done' | 'amber'; children?: ReactNode }) {
  const isDone = tone === 'done' && Boolean(children)
  const [over, setOver] = useState<ReactNode>()
  if (over && !isDone) setOver(undefined)
  useEffect(() => {
    const press = ({ target }: Event) =>
      target instanceof Element && target.closest('main button') && setOver(children)
    return isDone ? listen(['click'], press) : undefined
  }, [isDone, children])
  const content = isDone && children === over ? undefined : children
  return (
    <p role="status" data-tone={tone} className={content ? 'notice' : 'sr-only'}>
      {content}
    </p>
  )
}

export function SkipLink() {
  return (
    <a href="#main" className={look}>
      {layoutTexts.skip}
    </a>
  )
}

const look =
  'absolute start-4 top-2 z-20 -translate-y-24 rounded-field bg-accent px-4 py-2 text-on-accent focus:translate-y-0'

/** Scrolls a new screen to its top and focuses its heading. The browser handles the first screen. */
export function useFocusOnNewScreen(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation()
  const shownPath = useRef(pathname)
  useEffect(() => {
    if (shownPath.current === pathname) return
    shownPath.current = pathname
    scrollTo(0, 0)
    const focused = document.activeElement
    if (focused !== main.current && main.current?.contains(focused)) return
    const heading = main.current?.querySelector('h1')
    const start = heading ?? main.current
    start?.focus({ preventScroll: true })
  }, [pathname, main])
}
