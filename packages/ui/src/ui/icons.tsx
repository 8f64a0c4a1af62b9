import type { ReactNode } from 'react'
import logo from '/@logo.svg'

interface IconProps {
  className?: string
  children: ReactNode
}

/**
 * A drawing of 20 by 20 units. Decorative, so screen readers skip it.
 *
 * @example <Icon><path d="M4 10h12" /></Icon>
 */
export function Icon({ className = 'size-5', children }: IconProps) {
  return (
    <svg
      viewBox="0 0 20 20"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export function AlertIcon() {
  return (
    <Icon className="mt-0.5 size-5">
      <circle cx="10" cy="10" r="7.2" />
      <path d="M10 6.4v4.2M10 13.4v.1" />
    </Icon>
  )
}

/**
 * Points down, for a field or button that opens something.
 *
 * @example <ChevronIcon />
 */
export function ChevronIcon() {
  return (
    <Icon className="pointer-events-none absolute end-2.5 size-4 self-center text-muted">
      <path d="m5.5 8 4.5 4.5L14.5 8" />
    </Icon>
  )
}

export function TickIcon() {
  return (
    <Icon className="size-7">
      <path className="animate-draw [stroke-dasharray:24]" d="m4.5 10.5 3.8 3.8 7.2-8" />
    </Icon>
  )
}

export function MailIcon() {
  return (
    <Icon>
      <rect x="2.8" y="4.5" width="14.4" height="11" rx="2" />
      <path d="m3.5 6 6.5 5 6.5-5" />
    </Icon>
  )
}

export function PasskeyIcon() {
  return (
    <Icon>
      <circle cx="7.2" cy="6.6" r="3.1" />
      <path d="M2.2 16.2c.3-2.9 2.3-4.7 5-4.7 1 0 1.9.2 2.6.7" />
      <circle cx="14.2" cy="9.4" r="2.3" />
      <path d="M14.2 11.7v5.1M14.2 14.4h1.8" />
    </Icon>
  )
}

export function Spinner() {
  return (
    <Icon className="size-4 animate-turn">
      <path d="M17 10a7 7 0 1 1-7-7" />
    </Icon>
  )
}

/**
 * The logo of the product.
 *
 * @example <AppMark />
 */
export function AppMark() {
  return <img src={logo} alt="" width="24" height="24" className="shrink-0" />
}
