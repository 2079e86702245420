import { expect, it } from 'vitest'
import { warn } from '../../../packages/local/src/platform/warn.ts'

it.each([
  [new RangeError('broken'), 'broken'],
  ['text', 'text'],
])('warn emits %o as a warning of the process', async (error, message) => {
  const warned = new Promise((resolve) => process.once('warning', resolve))
  warn(error)
  expect(await warned).toMatchObject({ message })
})
