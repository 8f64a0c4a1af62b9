import type { compileGoTemplate as Compile, GoTemplate } from '@ostiary/go-template'
import type { ConfigIssue } from '../../config/checks/config-error.ts'
import { ConfigError } from '../../config/checks/config-error.ts'
import type { Config } from '../../config/config.ts'
import type { Template } from '../../config/courier.ts'
import type { Context } from '../../contract/contract.ts'
import { messageOf } from '../../errors/errors.ts'
import { goModel, messageModel } from './message-model.ts'
import { sampleOf } from './samples.ts'
import type { Channel, TemplateType } from './templates.ts'

export interface OwnTemplates {
  readonly subject?: GoTemplate
  readonly text?: GoTemplate
  readonly html?: GoTemplate
}

type Compiled = ReadonlyMap<string, OwnTemplates>

let compileGoTemplate: typeof Compile | undefined

export function ownTemplates(
  { once }: Pick<Context, 'once'>,
  template_type: TemplateType,
  channel: Channel,
): OwnTemplates {
  return once(compileTemplates).get(keyOf(template_type, channel)) ?? {}
}

/** Renders `courier.templates` with sample data. Throws `ConfigError` with all mistakes. */
export async function checkTemplates(config: Config): Promise<void> {
  const isUsed = JSON.stringify(config.courier.templates).includes('"text"')
  if (isUsed) compileGoTemplate ??= (await import('@ostiary/go-template')).compileGoTemplate
  compileTemplates(config)
}

function compileTemplates(config: Config): Compiled {
  const issues: ConfigIssue[] = []
  const found = new Map<string, OwnTemplates>()
  for (const [name, kinds] of Object.entries(config.courier.templates)) {
    for (const [validity, channels] of Object.entries<ChannelTemplates>(kinds)) {
      const path = `courier.templates.${name}.${validity}`
      const template_type = `${name}_${validity}` as TemplateType
      const { email, sms } = channels
      const mail = compileEach(issues, { path: `${path}.email`, template_type, channel: 'email' }, email)
      found.set(keyOf(template_type, 'email'), mail)
      if (!sms) continue
      const text = compileEach(issues, { path: `${path}.sms`, template_type, channel: 'sms' }, sms)
      found.set(keyOf(template_type, 'sms'), text)
    }
  }
  if (issues.length > 0) throw new ConfigError(issues)
  return found
}

interface Sources {
  readonly subject?: Template | undefined
  readonly body: { readonly plaintext?: Template | undefined; readonly html?: Template | undefined }
}

interface ChannelTemplates {
  readonly email: Sources
  readonly sms?: Sources
}

interface MessageKind {
  readonly path: string
  readonly template_type: TemplateType
  readonly channel: Channel
}

function compileEach(issues: ConfigIssue[], kind: MessageKind, { subject, body }: Sources): OwnTemplates {
  const one = (member: string, source: Template | undefined, as: 'text' | 'html') => {
    if (!source) return undefined
    if (!compileGoTemplate) throw new Error('call checkTemplates before ownTemplates')
    try {
      const template = compileGoTemplate(source.text, as)
      template(goModel(messageModel(sampleOf(kind.template_type, kind.channel))))
      return template
    } catch (error) {
      issues.push({ path: source.path ?? `${kind.path}.${member}`, message: messageOf(error) })
      return undefined
    }
  }
  const parts = {
    subject: one('subject', subject, 'text'),
    text: one('body.plaintext', body.plaintext, 'text'),
    html: one('body.html', body.html, 'html'),
  }
  return Object.fromEntries(Object.entries(parts).filter(([, template]) => template))
}

function keyOf(template_type: TemplateType, channel: Channel): string {
  return `${template_type} ${channel}`
}
