import { expect, it } from 'vitest'
import { Listeners } from '../../../../packages/local/src/web/http/listeners.ts'

it('a browser cannot listen, and closes nothing', async () => {
  const listeners = new Listeners()
  await expect(listeners.start()).rejects.toMatchObject({
    code: 'UnsupportedRuntime',
    message: expect.stringMatching(/cannot listen in a browser/),
  })
  await expect(listeners.close()).resolves.toBeUndefined()
})
