import { expect, it } from 'vitest'
import { pause } from '../../../packages/local/src/platform/pause.ts'

it('pause ends when the signal aborts, without an error', async () => {
  const controller = new AbortController()
  const waiting = pause(2 ** 40, controller.signal)
  controller.abort()
  await expect(waiting).resolves.toBeUndefined()
  await expect(pause(2 ** 40, controller.signal)).resolves.toBeUndefined()
  await expect(pause(0)).resolves.toBeUndefined()
  await expect(pause(0, new AbortController().signal)).resolves.toBeUndefined()
})
