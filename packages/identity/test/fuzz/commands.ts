import fc from 'fast-check'
import { change, operate, revokeOthers, signOut, wait } from './account-steps.ts'
import { ask, type } from './code-steps.ts'
import { fetch, login, meddle, open, register, stale, wrongMethod } from './form-steps.ts'
import type { Step } from './step.ts'
import type { Kind, Model, Name, World } from './world.ts'
import { assertAsBelieved, cookieOf, EMAILS, KINDS, NAMES, PASSWORDS } from './world.ts'

export function allCommands(): fc.Arbitrary<Iterable<Command>> {
  const [email, password] = [fc.constantFrom(...EMAILS), fc.constantFrom(...PASSWORDS, 'a1')]
  const [at, browser] = [fc.constantFrom(...NAMES), fc.constantFrom('laptop', 'tablet' as const)]
  const foreign = fc.constantFrom<Kind>('login', 'registration', 'recovery', 'settings')
  const codes = fc.constantFrom<readonly [Name, Name]>(
    ...[['laptop', 'laptop'] as const, ['tablet', 'tablet'] as const, ['laptop', 'tablet'] as const],
  )
  const steps: fc.Arbitrary<Step>[] = [
    ...KINDS.map((kind) => (kind === 'recovery' ? browser : at).map((name) => open(name, kind))),
    at.map(fetch),
    fc
      .tuple(browser, foreign)
      .map(([name, kind]) => meddle(name, name === 'laptop' ? 'tablet' : 'laptop', kind)),
    browser.map(stale),
    fc
      .tuple(at, fc.constantFrom('link', 'totp', 'nothing'))
      .map(([name, method]) => wrongMethod(name, method)),
    fc.tuple(at, email, password).map(([name, ...sent]) => login(name, ...sent)),
    ...[0, 1, 2].map(() => at.map((name) => login(name, EMAILS[0] ?? '', PASSWORDS[0] ?? ''))),
    fc.tuple(at, email, password).map(([name, ...sent]) => register(name, ...sent)),
    ...(['recovery', 'verification'] as const).map((kind) =>
      fc.tuple(browser, email).map(([name, to]) => ask(name, kind, to)),
    ),
    fc
      .tuple(browser, email, fc.constantFrom(0, 9, 11))
      .map(([name, to, minutes]) =>
        inOrder(ask(name, 'verification', to), wait(minutes), type(name, name, true)),
      ),
    fc
      .tuple(browser, email, fc.constantFrom(0, 9, 11))
      .map(([name, to, minutes]) =>
        inOrder(ask(name, 'recovery', to), wait(minutes), type(name, name, true)),
      ),
    fc
      .tuple(browser, email, email)
      .map(([name, to, next]) =>
        inOrder(ask(name, 'recovery', to), type(name, name, true), change(name, { email: next })),
      ),
    ...[0, 1].map(() => codes.map(([name, by]) => type(name, by, true))),
    codes.map(([name, by]) => type(name, by, false)),
    fc.tuple(at, email).map(([name, to]) => change(name, { email: to })),
    fc.tuple(at, password).map(([name, next]) => change(name, { password: next })),
    ...[0, 1].map(() => at.map((name) => change(name, { name: 'Ada' }))),
    at.map(signOut),
    at.map(revokeOthers),
    ...[0, 1].map(() => fc.constantFrom(4, 13, 16).map(wait)),
    fc
      .tuple(email, fc.constantFrom('delete' as const, 'switch' as const))
      .map(([whose, what]) => operate(whose, what)),
  ]
  return fc.commands(
    steps.map((step) => step.map(command)),
    { maxCommands: 80, size: 'max' },
  )
}

type Command = fc.AsyncCommand<Model, World>

function command(step: Step): Command {
  const { name, at, check } = step
  return {
    toString: () => `${name} at the ${at}`,
    check: (model) => check?.(model) ?? true,
    async run(model, real) {
      await runStep(step, model, real)
      await assertAsBelieved(model, real)
    },
  }
}

function inOrder(...steps: readonly [Step, ...Step[]]): Step {
  return {
    name: steps.map(({ name }) => name).join(', then '),
    at: steps[0].at,
    async run(model, real) {
      for (const step of steps) if (step.check?.(model) ?? true) await runStep(step, model, real)
    },
  }
}

/** A replaced recovery or verification comes with a new CSRF cookie, which ends the browser's other forms. */
async function runStep({ run }: Step, model: Model, real: World): Promise<void> {
  const before = NAMES.map((name) => [model.visitors[name].session, cookieOf(real, name)])
  await run(model, real)
  for (const [n, name] of NAMES.entries()) {
    const [session, cookie] = before[n] ?? []
    const visitor = model.visitors[name]
    if (visitor.session === session && cookieOf(real, name) !== cookie) delete visitor.form
  }
}
