export const builtTexts = {
  built: 'How it is built',
  diagram:
    'The browser talks to one server. That server holds the pages, the API and the identity service, and keeps everything in one database.',
  parts: {
    browser: ['Browser', 'React, prerendered pages'],
    pages: ['Pages', 'and the product API'],
    identity: ['Identity service', 'speaks the Ory protocol'],
    database: ['Database', 'SQLite or PostgreSQL'],
    server: 'One server, one address',
  },
  facts: [
    {
      name: 'Yours',
      text: 'It runs entirely on one machine, without a network or an account on another site. Open source, Apache\u20112.0.',
    },
    { name: 'Private', text: 'No trackers, no third-party scripts, no fonts or pictures from elsewhere.' },
    {
      name: 'Safe',
      text: 'Passwords are hashed with Argon2id, codes expire, and every session can be ended.',
    },
    {
      name: 'For everyone',
      text: 'Every screen is tested with axe in both themes, and logging in with the keyboard alone.',
    },
  ],
} as const
