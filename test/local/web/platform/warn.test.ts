import { expect, it, vi } from 'vitest'
import { warn } from '../../../../packages/local/src/web/platform/warn.ts'

it('warn writes to the console of a page or a worker', () => {
  const written = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const error = new RangeError('broken')
  warn(error)
  expect(written.mock.calls).toEqual([[error]])
  written.mockRestore()
})
