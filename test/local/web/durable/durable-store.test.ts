import { expect, it } from 'vitest'
import { DurableStore } from '../../../../packages/local/src/web/durable/durable-store.ts'

it('a browser has no folders, and its error says to keep tables in memory', () => {
  expect(() => new DurableStore()).toThrow(
    expect.objectContaining({
      code: 'UnsupportedRuntime',
      message: expect.stringMatching(/needs Node.*memory/),
    }),
  )
})
