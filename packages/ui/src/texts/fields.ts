import { catalogue } from './catalogue.ts'
export const fieldTexts = catalogue('field', {
  email: 'Email',
  password: 'Password',
  code: 'Code',
  choose: 'Choose…',
  show: 'Show',
  hide: 'Hide',
  revealed: 'password',
  isShown: 'What you typed is visible.',
  wrong: (count: number) => `${count} fields to correct:`,
})

export const ruleTexts = catalogue('rule', {
  email: 'Please enter a valid email address.',
  password: (length: number) => `Password must be at least ${length} characters.`,
  required: 'Please fill in this field.',
  appCode: 'Enter the six digits that your app shows.',
})

export const adviceTexts = catalogue('advice', {
  start: (length: number) => `At least ${length} characters. Several words make a strong password.`,
  short: (length: number) => `At least ${length} characters.`,
  weak: 'Strength: weak. Add another word or two.',
  fair: 'Strength: fair, unless it’s easy to guess. Another word makes it strong.',
  strong: 'Strength: strong.',
})
