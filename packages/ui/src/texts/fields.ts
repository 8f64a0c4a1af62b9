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
  wrong: (count: number) => (count === 1 ? 'One field to correct:' : `${count} fields to correct:`),
})

export const ruleTexts = catalogue('rule', {
  email: 'Please enter a valid email address.',
  password: 'Password must be at least 6 characters.',
  required: 'Please fill in this field.',
  appCode: 'Enter the six digits that your app shows.',
})

export const adviceTexts = catalogue('advice', {
  start: 'At least 6 characters. Several words make a strong password.',
  short: 'At least 6 characters.',
  weak: 'Strength: weak. Add another word or two.',
  fair: 'Strength: fair. One more word makes it strong.',
  strong: 'Strength: strong.',
})
