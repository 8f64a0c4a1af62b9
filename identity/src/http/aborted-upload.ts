/** Whether a client went away while it sent its body: no fault of the service. Node gives this error no class. */
export function isAbortedUpload(error: unknown): boolean {
  return (
    error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
  )
}
