import { fileURLToPath } from 'node:url'
import { serverFlags } from './server-process.mjs'

/**
 * @typedef {object} Command
 * @property {string} usage
 * @property {string} summary one line for the list of commands
 * @property {string[]} details
 * @property {string[]} node Node's flags and the file to run
 * @property {boolean} [isFixed] whether it takes no arguments
 * @property {boolean} [needsTools] whether it needs the development packages
 * @property {readonly import('./builds.mjs').Name[]} [needsBuild]
 * @property {string[]} [lists] arguments with which it lists its subcommands or settings
 * @property {boolean} [readsSettings] whether it reads settings, from `.env` too
 * @property {boolean} [serves] whether it serves requests, and so hashes passwords
 */

const quiet = '--disable-warning=ExperimentalWarning'

/** @param {string} name */
const fileHere = (name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * A command of the built server.
 * @param {string} name
 * @returns {Pick<Command, 'node' | 'needsBuild' | 'readsSettings'>}
 */
const onServer = (name) => ({
  node: [quiet, 'app/dist/server/main.mjs', name],
  needsBuild: ['server'],
  readsSettings: true,
})

/** @type {Readonly<Record<string, Command>>} */
export const productCommands = {
  start: {
    usage: 'npm start',
    summary: 'Start the app on http://localhost:3000.',
    details: [
      'Installs what is missing, builds what changed, brings the database up to date and prints the addresses.',
      'Settings are environment variables, also in a file .env. Ctrl-C stops it.',
    ],
    node: [...serverFlags, 'app/dist/server/main.mjs'],
    needsBuild: ['web', 'server'],
    lists: ['--help'],
    isFixed: true,
    readsSettings: true,
    serves: true,
  },
  dev: {
    usage: 'npm run dev',
    summary: 'The same, with reload on every change of a source file.',
    details: ['The server restarts when one of its files changes; the web app is served by Vite.'],
    node: [fileHere('dev.mjs')],
    isFixed: true,
    readsSettings: true,
    needsTools: true,
    serves: true,
  },
  test: {
    usage: 'npm test [-- PATTERN]',
    summary: 'Check the types, and run every test in app/ and e2e/.',
    details: [
      'PATTERN  only files whose path contains it',
      'CHROME_PATH selects a browser, and TEST_PORT the first of two ports (4800).',
    ],
    node: [quiet, fileHere('test.mjs')],
    needsBuild: ['web', 'server'],
    needsTools: true,
  },
  check: {
    usage: 'npm run check',
    summary: 'Check the types.',
    details: [],
    node: ['node_modules/typescript/bin/tsc', '--noEmit'],
    needsTools: true,
  },
  admin: {
    usage: 'npm run admin -- COMMAND',
    summary: 'Give roles, list and retry emails, rotate keys, and list calls of the admin API.',
    details: ['It talks to the admin API of the running server. Without a COMMAND it lists them.'],
    lists: [],
    ...onServer('admin'),
  },
  doctor: {
    usage: 'npm run doctor [-- --deep] [-- --json]',
    summary: 'Check settings, ports, data, database, mail server and providers before a start.',
    details: [
      'Prints a sentence and a remedy for each problem, changes nothing, and exits with 1 if something is broken.',
      '--deep  also read every page of a SQLite database',
      '--json  print the findings as data',
    ],
    ...onServer('doctor'),
  },
  migrate: {
    usage: 'npm run migrate [-- --forget-secrets]',
    summary: 'Bring the database up to date, as a step before the start (MIGRATE=off).',
    details: [
      'Needs no other settings than DATA_DIR and DATABASE_URL. A start does the same unless MIGRATE=off.',
      '--forget-secrets  the next start may have any secrets, for those that are lost for good',
    ],
    ...onServer('migrate'),
  },
  backup: {
    usage: 'npm run backup -- FILE',
    summary: 'Write an encrypted copy of the database and its secrets, while the server runs.',
    details: [
      'It asks for a passphrase, or takes it from BACKUP_PASSPHRASE; BACKUP_RECIPIENT names a public key',
      'of age (age1…) instead. DATA_DIR and DATABASE_URL locate the data.',
    ],
    ...onServer('backup'),
  },
  restore: {
    usage: 'npm run restore -- FILE',
    summary: 'Put a backup where the next start looks for its data; nothing is overwritten.',
    details: ['BACKUP_PASSPHRASE or BACKUP_IDENTITY (AGE-SECRET-KEY-1…) decrypts it; else it asks.'],
    ...onServer('restore'),
  },
  export: {
    usage: 'npm run export -- FILE',
    summary: 'Write every account with its password hash, in the form that Ory Kratos imports.',
    details: [
      'FILE ends with .jsonl, .json (one list, for `kratos import identities`) or .csv. An interrupted export of',
      'the same file continues where it ended. It talks to the admin API of the running server.',
    ],
    ...onServer('export'),
  },
  import: {
    usage: 'npm run import -- FILE [--from kratos|auth0|firebase|cognito] | --from-kratos-database DSN',
    summary: 'Create an account for each record of a file, through the admin API of the running server.',
    details: [
      'FILE ends with .jsonl, .ndjson, .json or .csv. Beside it, FILE.refused.jsonl says which records were',
      'refused and why, and an interrupted import continues where it ended.',
      "--hash-config FILE  the parameters of Firebase's hashes, as its console shows them",
    ],
    ...onServer('import'),
  },
  image: {
    usage: 'npm run image -- FOLDER',
    summary: 'Write what a container image holds into a folder.',
    details: ['The builds, the packages outside of them and Node: what the Dockerfile runs.'],
    node: [quiet, fileHere('image.mjs')],
    needsBuild: ['web', 'server'],
  },
}

/** @param {Pick<Command, 'usage' | 'summary' | 'details'>} command */
export function commandText({ usage, summary, details }) {
  return [usage, '', summary, ...details].join('\n')
}

/** @param {Readonly<Record<string, Command>>} commands */
export function helpText(commands) {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length)) + 2
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(width)}${summary}`)
  return [...lines, '', 'Each explains itself: npm run help start'].join('\n')
}
