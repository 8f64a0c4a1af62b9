import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** The folder of the product: npm runs its commands there. */
export const root = process.cwd()

/** Only its message is shown. */
export class Refusal extends Error {}

/**
 * Sets the exit code that `main` returns, or 1 after a `Refusal`.
 * @param {() => Promise<number | void>} main
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** All copies of one signal arrive within this time. */
const ECHO_MS = 150

/**
 * Runs a program on this terminal until it exits, and forwards signals to it.
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @param {(text: string) => void} [print] receives stdout instead of the terminal
 * @returns {Promise<{ code: number, stopped: boolean }>} the exit code (128 + number for a signal), and whether
 *   this process received a signal
 */
export function runChild(program, args, env = process.env, print = undefined) {
  return new Promise((resolve, reject) => {
    let stopped = false
    let forwardedAt = 0
    const child = start(program, args, env, print)
    /**
     * @param {NodeJS.Signals} signal
     * @returns {void}
     */
    const forward = (signal) => {
      // Under nohup, which detaches stdin, the child keeps running. Node resets ignored signals, so
      // stdin is the only hint.
      if (signal === 'SIGHUP' && !process.stdin.isTTY) return clearInterval(watch)
      stopped = true
      // A terminal signals the whole group, including the child.
      if (signal !== 'SIGTERM' && process.stdin.isTTY) return
      // npm, its shell and the group may each pass on one signal. A second one makes the child exit
      // at once.
      if (Date.now() - forwardedAt < ECHO_MS) return
      forwardedAt = Date.now()
      child.kill(signal)
    }
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
    for (const signal of signals) process.on(signal, forward)
    const watch = process.env.npm_lifecycle_event
      ? watchParent(() => stopped || forward('SIGTERM'))
      : undefined
    const release = () => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, forward)
    }
    child.once('error', (error) => {
      release()
      reject(error)
    })
    child.once('close', (code, signal) => {
      release()
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), stopped })
    })
  })
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {((text: string) => void) | undefined} print
 */
function start(program, args, env, print) {
  const child = spawn(program, args, {
    cwd: root,
    env,
    stdio: ['inherit', print ? 'pipe' : 'inherit', 'inherit'],
  })
  if (print) child.stdout?.setEncoding('utf8').on('data', print)
  return child
}

/**
 * npm starts this process through a shell and signals only that shell. The shell's death counts as the signal,
 * because otherwise the process would run forever.
 * @param {() => unknown} stop
 */
function watchParent(stop) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 200)
  return timer
}
