/** An invalid template, with the line of the error. */
export class TemplateError extends Error {
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`)
    this.name = 'TemplateError'
  }
}
