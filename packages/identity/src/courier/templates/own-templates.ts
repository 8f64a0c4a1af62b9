import { ConfigError, type ConfigIssue } from '../../config/checks/config-error.ts'
import type { Config } from '../../config/config.ts'
import type { Template } from '../../config/courier.ts'
import { messageOf } from '../../errors/errors.ts'
import { goModel, messageModel } from './message-model.ts'
import { sampleOf, TEMPLATE_TYPES } from './samples.ts'
import type { Channel, TemplateType } from './templates.ts'

export interface OwnTemplates {
  readonly subject?: Template
  readonly text?: Template
  readonly html?: Template
}

type ByName = Readonly<Record<string, Readonly<Record<string, ChannelTemplates>>>>
type ChannelTemplates = Readonly<Partial<Record<Channel, MessageParts>>>

interface MessageParts {
  readonly subject?: Template | undefined
  readonly body: { readonly plaintext?: Template | undefined; readonly html?: Template | undefined }
}

export function ownTemplates(
  { courier }: Config,
  template_type: TemplateType,
  channel: Channel,
): OwnTemplates {
  const [, name = '', validity = ''] = /^(.+)_(valid|invalid)$/.exec(template_type) ?? []
  const { subject, body } = (courier.templates as ByName)[name]?.[validity]?.[channel] ?? {}
  return {
    ...(subject && { subject }),
    ...(body?.plaintext && { text: body.plaintext }),
    ...(body?.html && { html: body.html }),
  }
}

/** Renders `courier.templates` with sample data. Throws `ConfigError` with all mistakes. */
export function checkTemplates(config: Config): void {
  const issues = TEMPLATE_TYPES.flatMap((template_type) =>
    CHANNELS.flatMap((channel) =>
      Object.values(ownTemplates(config, template_type, channel)).flatMap((template: Template) =>
        issuesOf(template, template_type, channel),
      ),
    ),
  )
  if (issues.length > 0) throw new ConfigError(issues)
}

const CHANNELS: readonly Channel[] = ['email', 'sms']

function issuesOf(
  { render, path }: Template,
  template_type: TemplateType,
  channel: Channel,
): readonly ConfigIssue[] {
  try {
    render(goModel(messageModel(sampleOf(template_type, channel))))
    return []
  } catch (error) {
    return [{ path, message: messageOf(error) }]
  }
}
