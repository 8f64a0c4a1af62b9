import type { EmailTemplate } from '@ostiary/identity'

export const welcome: EmailTemplate<{ name: string }> = {
  name: 'welcome',
  sample: { name: 'Ada' },
  write: ({ name }) => ({
    subject: 'Welcome to Readlist',
    title: `Your list is ready, ${name}`,
    body: ['Add what you want to read:', { button: 'Open my list', url: '/links' }],
  }),
}
