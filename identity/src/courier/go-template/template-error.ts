/** A template that cannot be used, and the line where that shows. */
export class TemplateError extends Error {
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`)
    this.name = 'TemplateError'
  }
}
