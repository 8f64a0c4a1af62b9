import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailboxOf } from './keys.ts'

test('SEC-70 counts spellings of one inbox as one mailbox', () => {
  const mailboxes = [
    ['ada@example.com', 'ada+1@example.com', 'ada+a+b@example.com', 'ADA@EXAMPLE.com', 'ada@example.com.'],
    ['adalove@gmail.com', 'ada.love@gmail.com', 'a.d.a.love+x@googlemail.com', 'adalove@GoogleMail.com.'],
    ['ada@bücher.example', 'ada+1@xn--bcher-kva.example'],
    ['ada%victim.example@relay.example', 'ada%victim.example+1@relay.example'],
  ]
  for (const [first = '', ...others] of mailboxes) {
    for (const other of others) assert.equal(mailboxOf(other), mailboxOf(first), other)
  }
})

test('SEC-70 keeps addresses of different people apart', () => {
  const apart = [
    ...[
      'ada@example.com',
      'ada-1@example.com',
      'ada.1@example.com',
      'a.da@example.com',
      'ada@mail.example.com',
    ],
    ...['adа@example.com', 'ａda@example.com', 'ada%1@example.com', 'ada=1@example.com', 'ada_1@example.com'],
    ...['ada@gmail.example', 'ada@gmail.com', 'ada-1@gmail.com', '+1@example.com', '+2@example.com'],
    ...['+14155550100', '+14155550101', 'ada', 'ada+1', '@ada+1'],
  ]
  assert.equal(new Set(apart.map(mailboxOf)).size, apart.length)
})
