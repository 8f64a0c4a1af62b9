import type { ModelParts } from './message-model.ts'
import type { Channel, MailData, TemplateType } from './templates.ts'

const url = 'https://app.example/'
const at = '2031-04-02T09:00:00.000Z'
const due = '16 April 2031'
const code = { code: '123456', expires_in_minutes: 10, url }
const link = { url, expires_in_minutes: 10 }

const SAMPLES: MailData = {
  verification_code_valid: code,
  verification_code_invalid: {},
  verification_valid: link,
  verification_invalid: {},
  recovery_code_valid: code,
  recovery_code_invalid: {},
  recovery_valid: link,
  recovery_invalid: {},
  login_code_valid: code,
  registration_code_valid: code,
  registration_duplicate: { url },
  address_taken: { url },
  address_reserved: {},
  address_changed: { address: 'a…@example.org', url, expires_in_hours: 72 },
  security_notice: { notice: 'new_device', url, at, device: 'Chrome on Linux', ip_address: '192.0.2.1' },
  security_digest: { held: [{ notice: 'password_changed', times: 2, first: at, last: at }], url },
  account_deletion_requested: { due, url },
  account_deletion_cancelled: { url },
  account_deleted: {},
}

export const TEMPLATE_TYPES = Object.keys(SAMPLES) as readonly TemplateType[]

/** For previews, and to check `courier.templates`. Without traits, because a schema may not require any. */
export function sampleOf(template_type: TemplateType, channel: Channel): ModelParts {
  const traits = template_type === 'registration_code_valid' ? { traits: {} } : {}
  return {
    template_type,
    channel,
    recipient: channel === 'email' ? 'ada@example.com' : '+14155550100',
    data: SAMPLES[template_type],
    cause: { request_url: url, ...traits },
    identity: { id: '00000000-0000-4000-8000-000000000000', traits: {} },
  }
}
