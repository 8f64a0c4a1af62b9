import type {
  LoginFlow,
  RecoveryFlow,
  RegistrationFlow,
  SettingsFlow,
  VerificationFlow,
} from '@ory/client-fetch'
import { useEffect } from 'react'
import {
  loginFlow,
  recoveryFlow,
  refreshFlow,
  registrationFlow,
  secondFactorFlow,
  settingsFlow,
  verificationFlow,
} from '../flow/kinds.ts'
import { listenToOtherTabs } from '../session/tab-channel.ts'
import { type FlowForm, type FlowFormOptions, useFlowForm } from './use-flow-form.ts'

export interface LoginOptions extends FlowFormOptions {
  /** `aal2` asks for the second factor. */
  readonly aal?: 'aal1' | 'aal2'
  /** Asks a logged-in user again, before a change that needs a recent login. */
  readonly refresh?: boolean
}

/**
 * @example
 * const login = useLogin({ onNext: (next) => router.push(next.kind === 'second-factor' ? '/second-factor' : '/') })
 */
export function useLogin({ aal = 'aal1', refresh = false, ...options }: LoginOptions): FlowForm<LoginFlow> {
  const firstStep = refresh ? refreshFlow : loginFlow
  const calls = aal === 'aal2' ? secondFactorFlow : firstStep
  const passkey = { name: 'passkey_login', isNew: false }
  return useFlowForm<LoginFlow>(calls, { passkey, isForVisitors: calls === loginFlow }, options)
}

/**
 * @example
 * const registration = useRegistration({
 *   onNext: (next) => router.push(next.kind === 'done' && next.verification ? `/verify?flow=${next.verification}` : '/'),
 * })
 */
export function useRegistration(options: FlowFormOptions): FlowForm<RegistrationFlow> {
  const passkey = { name: 'passkey_register', isNew: true }
  return useFlowForm(registrationFlow, { passkey, isForVisitors: true }, options)
}

/**
 * Entering the code in one tab completes the others too.
 *
 * @example const verification = useVerification({ id: params.get('flow') ?? undefined, onNext: () => router.push('/') })
 */
export function useVerification(options: FlowFormOptions): FlowForm<VerificationFlow> {
  const form = useFlowForm(verificationFlow, {}, options)
  const { flow, open } = form
  const id = flow?.id
  useEffect(
    () => listenToOtherTabs((news) => void (news.kind === 'verified' && news.flow_id === id && open())),
    [id, open],
  )
  return form
}

/** @example const recovery = useRecovery({ onNext: () => router.push('/settings') }) */
export function useRecovery(options: FlowFormOptions): FlowForm<RecoveryFlow> {
  return useFlowForm(recoveryFlow, { isForVisitors: true }, options)
}

/** @example const settings = useSettings({ onNext: (next) => next.kind === 'sign-in' && router.push('/login') }) */
export function useSettings(options: FlowFormOptions): FlowForm<SettingsFlow> {
  return useFlowForm(settingsFlow, { passkey: { name: 'passkey_settings_register', isNew: true } }, options)
}
