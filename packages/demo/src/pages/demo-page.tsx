import { AppMark, Notice, usePageTitle } from '@ostiary/ui'
import { product } from '@ostiary/ui/internal'
import type { ReactNode } from 'react'
import { demoTexts as texts } from '../texts.ts'

interface DemoPageProps {
  title: string
  note: string
  isLost?: boolean
  children: ReactNode
}

export function DemoPage({ title, note, isLost = false, children }: DemoPageProps) {
  usePageTitle(title)
  return (
    <div className="flex min-h-dvh flex-col">
      <Bar />
      <main className="page-width grid grow content-start gap-6 py-8">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="text-28">{title}</h1>
          <p className="rounded-small bg-amber-tint px-2 py-0.5 text-14 text-amber forced-colors:border">
            {note}
          </p>
        </div>
        {isLost && <Notice tone="amber">{texts.lost}</Notice>}
        {children}
      </main>
    </div>
  )
}

const links = () =>
  [
    ['/demo', texts.links.stage],
    ['/demo/inbox', texts.links.inbox],
    ['/demo/emails', texts.links.previews],
    ['/', product().name],
  ] as const

export function Bar() {
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 flex-wrap items-center justify-between gap-x-4">
        <span className="flex items-center gap-2 font-semibold tracking-tight">
          <AppMark />
          <span>{texts.demo}</span>
        </span>
        <nav aria-label={texts.demo} className="-me-2 flex flex-wrap sm:gap-x-2">
          {links().map(([path, name]) => (
            <a
              key={path}
              href={path}
              aria-current={path === location.pathname ? 'page' : undefined}
              className={`bar-link ${path === location.pathname ? 'bar-link-active' : ''}`}
            >
              {name}
            </a>
          ))}
        </nav>
      </div>
    </header>
  )
}
