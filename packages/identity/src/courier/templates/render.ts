import type { Context } from '../../contract/contract.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { messageOf } from '../../errors/errors.ts'
import { publicIdentity } from '../../identities/show.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import { requestOf } from '../senders/choose.ts'
import { type EmailTemplate, oneLine, type RenderedMail, renderEmail } from './email.ts'
import { goModel, type MessageCause, messageModel } from './message-model.ts'
import { type OwnTemplates, ownTemplates } from './own-templates.ts'
import { sampleOf, TEMPLATE_TYPES } from './samples.ts'
import type { Channel, CodeData, MailData, TemplateType } from './templates.ts'
import { isTextMessage, letterhead, renderMail, renderTextMessage } from './templates.ts'

export interface Order<T extends TemplateType> {
  readonly template_type: T
  /** As stored: never parsed, joined or changed (SEC-07). */
  readonly recipient: string
  readonly data: MailData[T]
  readonly cause?: MessageCause
}

export interface Rendered extends RenderedMail {
  /** Kept for HTTP requests and for digests that may still grow. */
  readonly template_data?: JsonObject | undefined
}

export async function renderMessage<T extends TemplateType>(
  ctx: Context,
  channel: Channel,
  order: Order<T>,
): Promise<Rendered> {
  const builtIn = renderBuiltIn(ctx, channel, order)
  const ownTexts = ownTemplates(ctx.config, order.template_type, channel)
  const keepsData = requestOf(ctx.config, channel) !== undefined || 'held' in order.data
  if (Object.keys(ownTexts).length === 0 && !keepsData) return builtIn
  const identity = await identityOf(ctx, order.cause)
  const { template_type, recipient, data, cause } = order
  const model = messageModel({ template_type, channel, recipient, data, cause, identity })
  return { ...fill(ctx, builtIn, ownTexts, model), template_data: keepsData ? model : undefined }
}

export interface MessagePreview extends RenderedMail {
  readonly template_type: TemplateType
}

export function previewMessages(ctx: Context): MessagePreview[] {
  return TEMPLATE_TYPES.map((template_type) => {
    const sample = sampleOf(template_type, 'email')
    const builtIn = renderBuiltIn(ctx, 'email', sample)
    const ownTexts = ownTemplates(ctx.config, template_type, 'email')
    return { template_type, ...fill(ctx, builtIn, ownTexts, messageModel(sample)) }
  })
}

export function renderTemplate<Data extends object>(
  { config }: Pick<Context, 'config'>,
  template: EmailTemplate<Data>,
  data: Data,
  to?: string,
): RenderedMail {
  const { body, ...email } = template.write(data)
  const { base_url } = config.serve.public
  const absolute = body.map((block) =>
    typeof block === 'object' && 'url' in block ? { ...block, url: webUrl(block.url, base_url) } : block,
  )
  return renderEmail({ ...letterhead(config), to }, { ...email, body: absolute })
}

/** Throws for `javascript:` and other schemes, because a user may have written the URL (SEC-10). */
function webUrl(url: string, base: string): string {
  const { protocol, href } = new URL(url, base)
  if (protocol === 'https:' || protocol === 'http:') return href
  throw new TypeError(`the button of an email opens ${protocol} instead of http: or https:`)
}

function renderBuiltIn<T extends TemplateType>(
  { config, product, log }: Context,
  channel: Channel,
  { template_type, recipient: to, data }: Order<T>,
): RenderedMail {
  const head = letterhead(config)
  if (channel === 'email') {
    try {
      return renderMail(template_type, { ...head, to }, data, product.letters[template_type])
    } catch (error) {
      // The user must still get the code.
      log.error(
        { reason: messageOf(error), template_type },
        'letter of the product failed; using the built-in one',
      )
      return renderMail(template_type, { ...head, to }, data)
    }
  }
  const text = isTextMessage(template_type) ? renderTextMessage(config, head.app_name, data as CodeData) : ''
  return { subject: '', text, html: '' }
}

async function identityOf(ctx: Context, cause: MessageCause | undefined): Promise<Json> {
  // SEC-78: an unknown address costs the same statement.
  const identity = cause && (await findIdentity(ctx.db, cause.identity_id ?? NIL_ID))
  return identity ? (publicIdentity(ctx, identity) as unknown as Json) : null
}

/** Falls back to the built-in template: the user must still get the code. */
function fill(ctx: Context, builtIn: RenderedMail, ownTexts: OwnTemplates, model: JsonObject): RenderedMail {
  try {
    const data = goModel(model)
    return {
      subject: ownTexts.subject ? oneLine(ownTexts.subject.render(data)) : builtIn.subject,
      text: ownTexts.text?.render(data) ?? builtIn.text,
      html: ownTexts.html?.render(data) ?? builtIn.html,
    }
  } catch (error) {
    const reason = messageOf(error)
    ctx.log.error({ reason }, 'template of courier.templates failed; using the built-in one')
    return builtIn
  }
}
