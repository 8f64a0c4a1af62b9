import { fakeService } from '@ostiary/react/testing/fake-service'
import { QueryClientProvider, useMutation } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { assertRecipe } from '../../../server/test/recipe.ts'
import { FormError } from '../ui/form/form-error.tsx'
import { createQueryClient } from './query-client.ts'
import * as api from './request.ts'

/** As in a product that has the route. */
const callApi = api.callApi as (method: 'POST', path: '/photos', input: { body?: Blob }) => Promise<unknown>

function PhotoField() {
  const upload = useMutation({
    mutationFn: (files: FileList | null) => callApi('POST', '/photos', { body: files?.[0] }),
  })
  return (
    <>
      <input type="file" aria-label="Photo" onChange={({ target }) => upload.mutate(target.files)} />
      <FormError>{upload.error?.message}</FormError>
    </>
  )
}

test('a page sends a file as it is, and shows why it was refused', async () => {
  assertRecipe('Accept a larger upload', import.meta.filename, 'tsx')
  const sent: unknown[] = []
  const error = { code: 'too_large', message: 'The photo is too large' }
  fakeService({
    'POST /api/v1/photos': ({ init }) => {
      sent.push(init.body)
      return { status: 413, body: { error } }
    },
  })
  render(<PhotoField />, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
    ),
  })
  const photo = new File(['x'], 'me.png', { type: 'image/png' })
  await userEvent.upload(screen.getByLabelText(/Photo/), photo)
  expect((await screen.findByRole('alert')).textContent).toMatch(/The photo is too large/)
  expect(sent).toEqual([photo])
})
