import type { Config } from '../config/config.ts'
import type { CodeData, TemplateType } from './templates/templates.ts'
import { minutes } from './templates/templates.ts'

const KINDS = [
  'verification_code_valid',
  'recovery_code_valid',
  'login_code_valid',
  'registration_code_valid',
] as const satisfies readonly TemplateType[]

export type TextMessageType = (typeof KINDS)[number]

/** Whether this message exists as SMS: links and notices are emails only. */
export function isTextMessage(template_type: TemplateType): template_type is TextMessageType {
  return KINDS.some((kind) => kind === template_type)
}

/**
 * A code as SMS. The last line lets a browser autofill the code on the app's own site only (origin-bound one-time
 * codes).
 */
export function renderTextMessage(
  { selfservice }: Config,
  app_name: string,
  { code, expires_in_minutes }: CodeData,
): string {
  const life = minutes(expires_in_minutes)
  const lines = [`${code} is your ${app_name} code. It expires in ${life}. Never share it.`]
  const home = selfservice.default_browser_return_url
  if (URL.canParse(home)) lines.push(`@${new URL(home).hostname} #${code}`)
  return `${lines.join('\n\n')}\n`
}
