import type {
  LoginFlow,
  RecoveryFlow,
  RegistrationFlow,
  SettingsFlow,
  VerificationFlow,
} from '@ory/client-fetch'
import {
  loginFlow,
  recoveryFlow,
  registrationFlow,
  secondFactorFlow,
  settingsFlow,
  verificationFlow,
} from '../flow/kinds.ts'
import { type FlowForm, type FlowFormOptions, useFlowForm } from './use-flow-form.ts'

export interface LoginOptions extends FlowFormOptions {
  /** `aal2` asks for the second factor. */
  readonly aal?: 'aal1' | 'aal2'
}

/** @example const login = useLogin({ onNext: () => router.push('/dashboard') }) */
export function useLogin({ aal = 'aal1', ...options }: LoginOptions): FlowForm<LoginFlow> {
  const calls = aal === 'aal2' ? secondFactorFlow : loginFlow
  return useFlowForm(calls, { name: 'passkey_login', isNew: false }, options)
}

/** @example const registration = useRegistration({ onNext: ({ verification }) => router.push(`/verify?flow=${verification}`) }) */
export function useRegistration(options: FlowFormOptions): FlowForm<RegistrationFlow> {
  return useFlowForm(registrationFlow, { name: 'passkey_register', isNew: true }, options)
}

/** @example const verification = useVerification({ id: params.get('flow') ?? undefined, onNext }) */
export function useVerification(options: FlowFormOptions): FlowForm<VerificationFlow> {
  return useFlowForm(verificationFlow, undefined, options)
}

/** @example const recovery = useRecovery({ onNext: () => router.push('/settings') }) */
export function useRecovery(options: FlowFormOptions): FlowForm<RecoveryFlow> {
  return useFlowForm(recoveryFlow, undefined, options)
}

/** @example const settings = useSettings({ onNext: () => router.push('/login') }) */
export function useSettings(options: FlowFormOptions): FlowForm<SettingsFlow> {
  return useFlowForm(settingsFlow, { name: 'passkey_settings_register', isNew: true }, options)
}
