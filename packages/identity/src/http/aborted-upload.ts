/** Whether the client disconnected while sending the body. Node has no class for this error. */
export function isAbortedUpload(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  )
}
