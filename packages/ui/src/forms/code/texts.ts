import { catalogue } from '../../texts/catalogue.ts'
export const codeTexts = catalogue('code', {
  hint: 'Each code works for 10 minutes.',
  empty: 'Enter the code from your email.',
  incomplete: 'Enter all six digits.',
  spam: 'Didn’t get it? Check your spam folder.',
  wrongAddress: 'Wrong address?',
  resend: 'Send a new code',
  resendIn: (seconds: number) =>
    seconds > 90
      ? `You can request another code in ${Math.ceil(seconds / 60)} minutes`
      : `New code in ${seconds} s`,
  sending: 'Sending…',
  send: 'Send me a code',
  expired: 'That code has expired. We’ve requested a new one for you.',
  requested: 'New code requested. Use the newest one in your inbox.',
  limited: 'We can’t send another code yet. You can still use the newest one in your inbox.',
})

export const demoMailTexts = catalogue('demoMail', {
  before: 'Demo: emails arrive in',
  inbox: 'the inbox',
})
