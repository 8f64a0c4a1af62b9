/** Runs calls one after another in order, also after a failure. */
export function inTurn<Input>(work: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last = Promise.resolve()
  return (input) => {
    const done = last.then(() => work(input))
    last = done.catch(() => {})
    return done
  }
}
