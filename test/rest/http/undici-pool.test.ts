import { Pool } from 'undici'
import { describe, expect, it } from 'vitest'
import { loadUndiciPool, poolLoader } from '../../../packages/rest/src/http/undici-pool.ts'

describe('loadUndiciPool', () => {
  it('loads the pool that undici exports', async () => {
    expect(await loadUndiciPool()).toBe(Pool)
  })

  it('says what is missing when undici cannot be loaded, and tries again at the next call', async () => {
    const cause = new Error("Cannot find module 'undici'")
    const modules = [Promise.reject(cause), Promise.resolve({ default: Pool })]
    const load = poolLoader(() => modules.shift() as Promise<{ default: typeof Pool }>)
    await expect(load()).rejects.toMatchObject({
      code: 'PartNotLoaded',
      message: expect.stringContaining('fetchTransport()'),
      cause,
    })
    expect(await load()).toBe(Pool)
  })
})
