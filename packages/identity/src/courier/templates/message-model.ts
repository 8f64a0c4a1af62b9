import type { Json, JsonObject } from '../../wire/identity.ts'
import type { Channel, MailData, TemplateType } from './templates.ts'

export interface MessageCause {
  readonly request_url: string
  readonly identity_id?: string | undefined
  readonly traits?: JsonObject
  readonly transient_payload?: JsonObject
}

export interface ModelParts {
  readonly template_type: TemplateType
  readonly channel: Channel
  readonly recipient: string
  readonly data: MailData[TemplateType]
  readonly cause: MessageCause | undefined
  /** As its owner sees it. */
  readonly identity: Json
}

/** The data of a message under Kratos' names. */
export function messageModel({
  template_type,
  channel,
  recipient,
  data,
  cause,
  identity,
}: ModelParts): JsonObject {
  const { request_url = '', traits, transient_payload = {} } = cause ?? {}
  const about: JsonObject = template_type.endsWith('_invalid')
    ? {}
    : traits === undefined
      ? { identity }
      : { [channel === 'email' ? 'traits' : 'identity']: traits }
  const isTextRecovery = channel === 'sms' && template_type === 'recovery_code_valid'
  return {
    to: recipient,
    ...secrets(template_type, channel, data),
    ...('held' in data ? { held: data.held.map((one) => ({ ...one })) } : {}),
    ...about,
    request_url,
    ...(isTextRecovery ? { request_url_domain: URL.parse(request_url)?.hostname ?? '' } : {}),
    transient_payload,
  }
}

function secrets(template_type: TemplateType, channel: Channel, data: MailData[TemplateType]): JsonObject {
  const purpose = template_type.replace(/(_code)?_valid$/, '')
  const { code, url, expires_in_minutes } = data as Partial<MailData['verification_code_valid']>
  return {
    ...(code === undefined ? {} : { [`${purpose}_code`]: code }),
    // Kratos compatibility: a second name.
    ...(code !== undefined && channel === 'sms' && purpose === 'recovery' ? { verification_code: code } : {}),
    ...(url === undefined || channel === 'sms' ? {} : { [`${purpose}_url`]: url }),
    ...(expires_in_minutes === undefined ? {} : { expires_in_minutes }),
  }
}

/** Names for Go templates: `.RecoveryCode`, `.RequestURL`. */
export function goModel(model: JsonObject): JsonObject {
  const named = Object.entries(model).map(([name, value]) => [goName(name), value] as const)
  return Object.fromEntries(named)
}

function goName(name: string): string {
  return name
    .split('_')
    .map((word) => (word === 'url' ? 'URL' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}
