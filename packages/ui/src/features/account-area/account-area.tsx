import { type ComponentType, type ReactNode, useEffect } from 'react'
import { NavLink, useLocation } from 'react-router'
import { ConfirmProvider } from '../../forms/settings/confirm.tsx'
import { rememberPage } from '../../forms/settings/page-memory.ts'
import * as paths from '../../paths.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { type Outline, OutlineSkeleton } from '../../ui/card.tsx'
import { PageIntro, usePageTitle } from '../../ui/page.tsx'
import { ScheduledDeletion, WelcomeBack } from './account-notices.tsx'
import { accountAreaTexts as texts } from './texts.ts'

export interface AccountPage {
  readonly Screen: ComponentType
  outline(): Outline
}

/** A page of the account with its navigation: at the side, or as tabs in a narrow window. */
export const accountFrame = (path: string, outline: AccountPage['outline']) =>
  function AccountFrame({ children }: { children?: ReactNode }) {
    const pages = accountPages()
    const { name, lead } = pages.find(({ to }) => to === path) ?? pages[0]
    usePageTitle(name)
    const { pathname, search } = useLocation()
    useEffect(() => {
      // The service redirected to a page with a flow. The user did not choose it.
      if (!search.includes('flow=')) rememberPage(pathname)
    }, [pathname, search])
    return (
      <ConfirmProvider>
        {/* As high as the window, so that cards that arrive late do not push the footer. */}
        <div className="page-width min-h-dvh content-start py-6 md:grid md:grid-cols-[12.5rem_minmax(0,1fr)] md:items-start md:gap-12 md:py-12">
          <AccountNavigation />
          <div className="grid grid-cols-1 gap-4">
            <div className="mb-2">
              <PageIntro title={name} lead={lead} gap="gap-1" />
            </div>
            {children ? (
              <>
                <WelcomeBack />
                <ScheduledDeletion />
                {children}
              </>
            ) : (
              <OutlineSkeleton {...outline()} words={layoutTexts.loadingSession} />
            )}
          </div>
        </div>
      </ConfirmProvider>
    )
  }

const accountPages = () =>
  [
    { to: paths.settings, ...texts.pages.profile },
    { to: paths.security, ...texts.pages.security },
    { to: paths.connections, ...texts.pages.connections },
    { to: paths.devices, ...texts.pages.devices },
    { to: paths.activity, ...texts.pages.activity },
    { to: paths.data, ...texts.pages.data },
  ] as const

function AccountNavigation() {
  return (
    <nav
      aria-label={texts.navigation}
      className="-mx-4 mb-6 border-b border-line sm:-mx-8 md:sticky md:top-8 md:mx-0 md:mb-0 md:border-0"
    >
      <ul className="flex flex-wrap px-1 sm:px-5 md:grid md:px-0">
        {accountPages().map(({ to, name }) => (
          <li key={to}>
            <NavLink to={to} end className={tab}>
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function tab({ isActive }: { isActive: boolean }): string {
  const base =
    'flex min-h-11 items-center border-b-2 px-3 text-14 -outline-offset-2 transition-colors md:min-h-10 md:rounded-e-small md:border-b-0 md:border-s-2'
  return isActive
    ? `${base} border-accent font-semibold text-ink md:bg-tint forced-highlight`
    : `${base} border-transparent text-muted forced-colors:border-[Canvas] hover:text-ink md:border-line md:hover:border-edge`
}
