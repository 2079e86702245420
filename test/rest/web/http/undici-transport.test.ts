import { expect, it } from 'vitest'
import { undiciTransport } from '../../../../packages/rest/src/web/http/undici-transport.ts'

it('is rejected in favour of fetch', () => {
  expect(() => undiciTransport()).toThrow(
    expect.objectContaining({
      code: 'InvalidOptionValue',
      message: expect.stringContaining('fetchTransport()'),
    }),
  )
})
