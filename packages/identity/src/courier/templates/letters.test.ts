import assert from 'node:assert/strict'
import { test } from '../../../test/kit/databases.ts'
import { createTestIdentity } from '../../../test/kit/kit.ts'
import type { Letters } from './templates.ts'

const ADA = 'ada@example.com'

async function recoveryMail(letters: Letters) {
  const identity = await createTestIdentity({}, { letters })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  return { identity, mail: (await identity.listMails(1))[0]! }
}

test('an email is written in the words and the language of the product', async () => {
  const { identity, mail } = await recoveryMail({
    recovery_code_valid: (letter, { code, expires_in_minutes }) => ({
      ...letter,
      lang: 'de',
      subject: `${code} ist dein Code`,
      title: 'Zurück in dein Konto',
      intro: 'Gib diesen Code ein.',
      notes: [`Er gilt ${expires_in_minutes} Minuten.`],
      sentTo: (address) => `An ${address} <gesendet>.`,
    }),
  })
  const code = /\d{6}/.exec(mail.body)?.[0]
  assert.equal(mail.subject, `${code} ist dein Code`)
  assert.match(mail.body, /^\d{6} ist dein Code\.\n\nGib diesen Code ein\.\n/)
  assert.match(mail.body, /Er gilt \d+ Minuten\.\n\nAn ada@example\.com <gesendet>\.\n$/)
  assert.match(
    mail.html!,
    /<html lang="de">[\s\S]+An <span[^>]+>ada@example\.com<\/span> &#60;gesendet&#62;\./,
  )
  const preview = identity.mail
    .previewOwn()
    .find(({ template_type }) => template_type === 'recovery_code_valid')
  assert.equal(preview?.html.includes('<html lang="de">'), true)
})

test('an email that the product cannot write is sent in the words of the service', async () => {
  const { mail } = await recoveryMail({
    recovery_code_valid: () => {
      throw new Error('no words')
    },
  })
  assert.match(mail.subject, /^\d{6} is your .+ code$/)
})
