import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { root } from './root.ts'

const USER = 10_001
/** 75 MB according to its registry. */
const BASE_BYTES = 80 * 2 ** 20

const writeImage = join(root, 'packages/server/commands/image.mjs')
const scratch = mkdtempSync(join(tmpdir(), 'my-app-image-'))
const image = join(scratch, 'image')

before(() => {
  // npm then writes more than its answer.
  const env = { ...process.env, npm_config_loglevel: 'info' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [writeImage, image], { env })
  assert.equal(status, 0, String(stderr))
  assert.match(String(stdout), /^Wrote .*image\. Start it with /)
})
after(() => rmSync(scratch, { recursive: true }))

test('an image has at most 250 MB, without sources or a package manager', () => {
  const files = readdirSync(image, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  assert.ok(bytes + BASE_BYTES < 250e6, `${bytes} bytes and the base image`)
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  assert.deepEqual(
    paths.filter((path) => /\/(src|npm)\//.test(path) && !path.includes('/@hexagon/')),
    [],
  )
})

test('an image lists its packages with their licences', () => {
  const { components } = JSON.parse(readFileSync(join(image, 'sbom.json'), 'utf8')) as {
    components: { name: string }[]
  }
  const names = components.map(({ name }) => name)
  const licenses = readFileSync(join(image, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['hono', 'react', 'pg', '@node-rs/argon2']) {
    assert.ok(names.includes(name), name)
    assert.match(licenses, new RegExp(`^${name} .*\\(.+\\)$`, 'm'))
  }
  assert.ok(!names.includes('vite'))
  assert.match(licenses, /Permission is hereby granted/)
})

test('an image contains the unbundled packages', () => {
  const script = [
    '@node-rs/argon2',
    '@node-rs/bcrypt',
    '@simplewebauthn/server',
    '@simplewebauthn/server/helpers',
  ]
    .map((name) => `await import('${name}')`)
    .join('; ')
  const { status, stderr } = spawnSync(join(image, 'bin/node'), ['--input-type=module', '--eval', script], {
    cwd: join(image, 'app/dist/server'),
  })
  assert.equal(status, 0, String(stderr))
})

test('an image says that it has no development server', () => {
  const started = [join(image, 'scripts/serve.mjs'), '--dev']
  const env = { DATABASE_URL: 'memory:', LOG_LEVEL: 'silent' }
  const { status, stderr } = spawnSync(join(image, 'bin/node'), started, { env, timeout: 60_000 })
  assert.equal(status, 1)
  assert.match(
    String(stderr),
    /^--dev needs the sources and development packages: use npm run dev there\.\n$/,
  )
})

test('the commands of an image name its script', () => {
  const node = join(image, 'bin/node')
  const script = join(image, 'scripts/serve.mjs')
  const runCommand = (...args: string[]) => {
    const options = { env: { DATA_DIR: join(scratch, 'none') }, encoding: 'utf8', timeout: 60_000 } as const
    return spawnSync(node, [script, ...args], options)
  }
  const help = runCommand('admin', 'mail', '--help')
  assert.equal(help.status, 0, help.stderr)
  assert.ok(help.stdout.startsWith(`${node} ${script} admin COMMAND\n`), help.stdout)
  assert.match(help.stdout, /^ {2}keys rotate +a new secret/m)
  assert.match(runCommand('doctor', '--help').stdout, / doctor \[--deep\] \[--json\]\n/)
  const wrong = runCommand('restore')
  assert.deepEqual([wrong.status, wrong.stderr], [1, `Name one file: ${node} ${script} restore app.backup\n`])
  assert.doesNotMatch(runCommand('--help').stdout, /npm run/)
})

test('refuses to overwrite files', () => {
  const { status, stderr } = spawnSync(process.execPath, [writeImage, image])
  assert.equal(status, 1)
  assert.match(String(stderr), /is not empty/)
})

const canIsolate =
  process.platform === 'linux' && spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0

test('the image runs unprivileged on a read-only root', {
  skip: canIsolate ? false : 'it needs root on Linux, to make namespaces',
}, async () => {
  const [port, adminPort] = [await freePort(), await freePort()]
  await using container = startContainer(port, adminPort)
  await container.untilReady()
  const page = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'X-Forwarded-Proto': 'https' } })
  assert.match(await page.text(), /<h1/)
  assert.equal(await container.stop(), 0)
})

test('the Dockerfile uses a numeric non-root user', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
  assert.match(lines, /^USER [1-9]\d*:[1-9]\d*$/m)
  assertInImage(JSON.parse(/^ENTRYPOINT (.*)$/m.exec(lines)?.[1] ?? '[]'), '/app/')
  // Readiness also fails while a database is away, and replacing the server would not help.
  assert.match(lines, /^ {2}CMD .*\/health\/alive`/m)
  const major = readFileSync(join(root, '.nvmrc'), 'utf8').trim()
  assert.match(lines, new RegExp(`^FROM node:${major}-`, 'm'))
})

test('the systemd unit runs in production as a dedicated user', () => {
  const lines = readFileSync(join(root, 'deploy/my-app.service'), 'utf8')
  assertInImage(/^ExecStart=(.*)$/m.exec(lines)?.[1]?.split(' ') ?? [], '/opt/my-app/')
  assert.match(lines, /^Environment=NODE_ENV=production /m)
  assert.match(lines, /^DynamicUser=yes$/m)
})

function assertInImage(command: readonly string[], folder: string): void {
  const files = command.filter((part) => part.startsWith(folder))
  assert.equal(files.length, 2)
  for (const file of files) assert.ok(statSync(join(image, file.slice(folder.length))).isFile(), file)
}

/** Separate mounts and processes, a read-only root, another user. */
function startContainer(port: number, adminPort: number) {
  const data = mkdtempSync(join(scratch, 'data-'))
  chownSync(data, USER, USER)
  const at = join(scratch, `root-${port}`)
  mkdirSync(at)
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', MOUNTS], {
    env: {
      PATH: process.env.PATH,
      ROOT: at,
      IMAGE: image,
      DATA: data,
      COMMAND: '/app/bin/node --disable-warning=ExperimentalWarning /app/scripts/serve.mjs',
      RUN_AS: `${USER}:${USER}`,
      ...production(port, adminPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    untilReady: () =>
      untilReady(
        port,
        () => child.exitCode === null,
        () => said.join(''),
      ),
    async stop() {
      process.kill(firstProcessOf(child), 'SIGTERM')
      return await ended
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const MOUNTS = `
mount -t tmpfs tmpfs "$ROOT"
mkdir "$ROOT"/usr "$ROOT"/app "$ROOT"/data "$ROOT"/tmp "$ROOT"/proc "$ROOT"/dev "$ROOT"/etc
for name in bin lib lib64; do ln -s usr/$name "$ROOT"/$name; done
touch "$ROOT"/dev/null "$ROOT"/dev/urandom
mount --bind /dev/null "$ROOT"/dev/null
mount --bind /dev/urandom "$ROOT"/dev/urandom
mount --bind /usr "$ROOT"/usr && mount -o remount,bind,ro "$ROOT"/usr
mount --bind "$IMAGE" "$ROOT"/app && mount -o remount,bind,ro "$ROOT"/app
mount --bind "$DATA" "$ROOT"/data
mount -t tmpfs -o mode=1777 tmpfs "$ROOT"/tmp
mount -t proc proc "$ROOT"/proc
mount -o remount,ro "$ROOT"
exec chroot --userspec="$RUN_AS" "$ROOT" $COMMAND
`

function production(port: number, adminPort: number): NodeJS.ProcessEnv {
  return {
    NODE_ENV: 'production',
    DRAIN_MS: '1000',
    LISTEN_HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: '/data',
    NODE_COMPILE_CACHE: '/tmp/my-app',
    SECRETS: randomBytes(32).toString('base64'),
    SMTP_URL: 'smtp://127.0.0.1:9',
  }
}

/** Process 1 of its namespace. */
function firstProcessOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

async function untilReady(port: number, alive: () => boolean, output: () => string): Promise<void> {
  await until(async () => {
    assert.ok(alive(), `not ready:\n${output()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    return answer?.ok === true
  })
}
