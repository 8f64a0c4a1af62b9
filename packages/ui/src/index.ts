// The parts of a product's pages, the admin page and the demo.

export { readableAddresses } from '@ostiary/identity/input/readable-address'
export { traitsOf, useAuth } from '@ostiary/react'
export { clearUserJwt, recall, remember, serverNow, useRestored } from '@ostiary/react/flows'
export { readSettings } from './api/env.ts'
export { createQueryClient } from './api/query-client.ts'
export { type ApiAnswer, callApi, RequestFailed, request } from './api/request.ts'
export { App, type AppDefinition, defineApp } from './app.tsx'
export { RedirectNotice } from './auth/access.tsx'
export { hasRole, RequireRole } from './auth/require-role.tsx'
export { useNext } from './auth/use-next.ts'
export { ScheduledDeletion, useDueDate, WelcomeBack } from './features/account-area/account-notices.tsx'
export { ActivityRows } from './features/activity/activity-row.tsx'
export { PasskeyOffer } from './features/passkey-offer/passkey-offer.tsx'
export { RecoveryForm } from './features/recover-account/recovery-form.tsx'
export { LoginForm } from './features/sign-in/login-form.tsx'
export { RegisterForm } from './features/sign-up/register-form.tsx'
export { FlowError } from './features/standstill/flow-error.tsx'
export { NotFound } from './features/standstill/not-found.tsx'
export { VerifyForm } from './features/verify-email/verify-form.tsx'
export { type Provider, ProviderMark } from './flow/providers.tsx'
export { useFlowInAddress } from './flow/use-flow.ts'
export { FormLink } from './forms/credentials/form-head.tsx'
export { ErrorBoundary } from './layout/error-boundary.tsx'
export { SessionControl } from './layout/session-control.tsx'
export { mount } from './mount.tsx'
export { accountPages, page } from './pages.tsx'
export { product } from './product.ts'
export { startApp } from './start-app.tsx'
export type { TextOverrides } from './texts/catalogue.ts'
export { Address } from './ui/address.tsx'
export { useHydrated } from './ui/browser.ts'
export { ActionButton, Button, ButtonLink } from './ui/button.tsx'
export { Badge, Card, Confirmation, Entry, Skeleton, useFocusOn } from './ui/card.tsx'
export { CopyButton } from './ui/copy-button.tsx'
export { CheckboxField, SelectField } from './ui/form/choice-fields.tsx'
export { Field, PasswordField } from './ui/form/fields.tsx'
export { FormError } from './ui/form/form-error.tsx'
export { ErrorSummary } from './ui/form/form-parts.tsx'
export { z } from './ui/form/schema.ts'
export { rejectForm, useForm } from './ui/form/use-form.ts'
export { formatMegabytes, formatMilliseconds, formatNumber, formatSeconds, Time } from './ui/format.tsx'
export { AppMark, ChevronIcon, Icon, Spinner, TickIcon } from './ui/icons.tsx'
export { Dotted, Rows, ShowMore } from './ui/list.tsx'
export { formatDay, initialOf, locale } from './ui/locale.ts'
export {
  FormPage,
  Notice,
  Page,
  PageHeading,
  SkipLink,
  useFocusOnNewScreen,
  usePageTitle,
  usePathParameters,
} from './ui/page.tsx'
export type { Components } from './ui/slot.tsx'
export { BrokenDrawing, EmptyDrawing, LostDrawing, Standstill } from './ui/standstill.tsx'
