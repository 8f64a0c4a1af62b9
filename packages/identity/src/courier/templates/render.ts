import type { Context } from '../../contract/contract.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { messageOf } from '../../errors/errors.ts'
import { publicIdentity } from '../../identities/show.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import type { Json, JsonObject } from '../../wire/identity.ts'
import { requestOf } from '../senders/choose.ts'
import { isTextMessage, renderTextMessage } from '../text-messages.ts'
import type { MessageCause } from './message-model.ts'
import { goModel, messageModel } from './message-model.ts'
import type { OwnTemplates } from './own-templates.ts'
import { ownTemplates } from './own-templates.ts'
import type { Channel, CodeData, MailData, RenderedMail, TemplateType } from './templates.ts'
import { DEFAULT_APP_NAME, oneLine, renderMail } from './templates.ts'

export interface Order<T extends TemplateType> {
  readonly template_type: T
  /** Exactly as stored: never parsed, joined or changed (SEC-07). A phone number gets an SMS. */
  readonly recipient: string
  readonly data: MailData[T]
  /** For the operator's own templates. */
  readonly cause?: MessageCause
}

/** A message as stored; includes its data only if an HTTP request sends it, or the message may still grow. */
export interface Rendered extends RenderedMail {
  readonly template_data?: JsonObject
}

/** Renders a message with the operator's own templates, or with the built-in ones. */
export async function renderMessage<T extends TemplateType>(
  ctx: Context,
  channel: Channel,
  order: Order<T>,
): Promise<Rendered> {
  const builtIn = renderBuiltIn(ctx, channel, order)
  const own = ownTemplates(ctx, order.template_type, channel)
  const keepsData = requestOf(ctx.config, channel) !== undefined || 'held' in order.data
  if (Object.keys(own).length === 0 && !keepsData) return builtIn
  const identity = await identityOf(ctx, order.cause)
  const { template_type, recipient, data, cause } = order
  const model = messageModel({ template_type, channel, recipient, data, cause, identity })
  return { ...fill(ctx, builtIn, own, model), ...(keepsData ? { template_data: model } : {}) }
}

function renderBuiltIn<T extends TemplateType>(
  { config }: Context,
  channel: Channel,
  { template_type, data }: Order<T>,
): RenderedMail {
  const app_name = config.courier.smtp.from_name ?? DEFAULT_APP_NAME
  if (channel === 'email') return renderMail(template_type, app_name, data)
  // SMS are sent for codes only.
  const text = isTextMessage(template_type) ? renderTextMessage(config, app_name, data as CodeData) : ''
  return { subject: '', text, html: '' }
}

async function identityOf(ctx: Context, cause: MessageCause | undefined): Promise<Json> {
  // An unknown address costs the same statement (SEC-78).
  const found = cause && (await findIdentity(ctx.db, cause.identity_id ?? NIL_ID))
  return found ? (publicIdentity(ctx, found) as unknown as Json) : null
}

/** If a template fails for this data, the built-in one is used: the user must still get the code. */
function fill(ctx: Context, builtIn: RenderedMail, own: OwnTemplates, model: JsonObject): RenderedMail {
  try {
    const data = goModel(model)
    return {
      subject: own.subject ? oneLine(own.subject(data)) : builtIn.subject,
      text: own.text?.(data) ?? builtIn.text,
      html: own.html?.(data) ?? builtIn.html,
    }
  } catch (error) {
    const reason = messageOf(error)
    ctx.log.error({ reason }, 'a template of courier.templates failed; the built-in template is used')
    return builtIn
  }
}
