/** Asks for a logout token and redeems it. A session that is already over counts as ended. */
export async function endSession(): Promise<void> {
  const { identityClient, statusOf } = await import('../flow/client.ts')
  try {
    const { logout_token: token } = await identityClient().createBrowserLogoutFlow()
    await identityClient().updateLogoutFlow({ token })
  } catch (cause) {
    if (statusOf(cause) === 401) return
    throw new Error('could not be logged out', { cause })
  }
}
