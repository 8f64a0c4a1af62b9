import type { Config } from '../../config/config.ts'
import type { CodeData, TemplateType } from './templates.ts'
import { minutes } from './templates.ts'

const TYPES = [
  'verification_code_valid',
  'recovery_code_valid',
  'login_code_valid',
  'registration_code_valid',
] as const satisfies readonly TemplateType[]

export type TextMessageType = (typeof TYPES)[number]

/** Links and notices are emails only. */
export function isTextMessage(template_type: TemplateType): template_type is TextMessageType {
  return TYPES.some((type) => type === template_type)
}

/** The last line lets browsers autofill the code on this origin only. */
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
