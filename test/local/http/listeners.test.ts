import { describe, expect, it } from 'vitest'
import { readListenLimits } from '../../../packages/local/src/http/listen-options.ts'
import { Listeners } from '../../../packages/local/src/http/listeners.ts'

const terms = { host: '127.0.0.1', port: 0, limits: readListenLimits(), hosts: undefined }

describe('Listeners', () => {
  it('closes all listeners, and starts none after that', async () => {
    const listeners = new Listeners({
      deliver: async () => ({ kind: 'whole', response: { status: 200, headers: {}, body: 'yes' } }),
      reject: () => expect.fail('there is nothing to reject'),
      pause: () => expect.fail('nothing is late'),
    })
    const started = await Promise.all([listeners.start(terms), listeners.start(terms)])
    const addresses = started.map(({ port }) => `http://127.0.0.1:${port}/`)
    const responses = addresses.map(async (address) => (await fetch(address)).text())
    expect(await Promise.all(responses)).toEqual(['yes', 'yes'])
    await listeners.close()
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow(TypeError)
    await expect(listeners.start(terms)).rejects.toMatchObject({ failure: 'closed' })
  })
})
